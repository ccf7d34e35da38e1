//! A folder with a study and its command, and `rpol run` in it.
#![allow(dead_code, clippy::unwrap_used)]

use rpol::study::{Event, Trial};
use rpol::{Study, store};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub(crate) struct Bench {
    folder: PathBuf,
}

/// A command that measures something plain, the same at every time.
pub(crate) const PLAIN: &str = r#"echo "{\"cost\": $1, \"p99\": $1}""#;

/// One parameter from 0 to 1, `cost` to be lowered and `p99` at most 2; `sh bench.sh` with the parameter.
pub(crate) const STUDY: &str = "\
objective = 'minimize cost'
constraints = ['p99 <= 2']
track = ['memory']
params = { x = { type = 'float', low = 0, high = 1 } }
[run]
command = ['sh', 'bench.sh', '{x}']
";

impl Bench {
    /// With a script, and `more` at the end of [`STUDY`], in its part `[run]`.
    pub(crate) fn new(script: &str, more: &str) -> Self {
        Self::with(script, &format!("{STUDY}{more}\n"))
    }

    pub(crate) fn with(script: &str, study: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("run-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let bench = Self { folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(name) };
        std::fs::create_dir_all(&bench.folder).unwrap();
        bench.write("bench.sh", script);
        bench.write("study.toml", study);
        bench
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.path(file).exists()
    }

    /// Waits for a file that a command writes.
    pub(crate) fn wait_for(&self, file: &str) {
        while std::fs::read_to_string(self.path(file)).map_or(true, |text| text.is_empty()) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
        command.args(arguments.split_whitespace()).current_dir(&self.folder);
        command.env_remove("RPOL_STORAGE").stdin(Stdio::null());
        command
    }

    /// `rpol` in the folder.
    pub(crate) fn rpol(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// `rpol run`, which must end with this exit code: its document and its talk.
    pub(crate) fn run(&self, arguments: &str, code: i32) -> (Value, String) {
        ended(self.rpol(&format!("run study.toml {arguments}")), code)
    }

    /// `rpol run`, which must refuse: its complaint.
    pub(crate) fn refused(&self, arguments: &str) -> String {
        let output = self.rpol(&format!("run study.toml {arguments}"));
        let talk = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(output.stdout.is_empty());
        talk
    }

    /// `rpol run`, to be met while it runs.
    pub(crate) fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(&format!("run study.toml {arguments}"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The study as it is stored.
    pub(crate) fn study(&self) -> Study {
        let url = format!("sqlite:///{}", self.path("rpol.db").display());
        let store = store::open_existing(&url).unwrap();
        let name = &store.studies().unwrap()[0];
        store::Shared::load(store.clone(), name).unwrap().study().clone()
    }

    pub(crate) fn trials(&self) -> Vec<Trial> {
        self.study().trials().to_vec()
    }

    /// What was asked and told, without who and when.
    pub(crate) fn history(&self) -> Vec<Event> {
        let kept = |event: &&Event| !matches!(event, Event::Claimed { .. });
        self.study().log().iter().filter(kept).cloned().collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The document and the talk of a run that has ended with this exit code.
pub(crate) fn ended(output: Output, code: i32) -> (Value, String) {
    let talk = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{talk}");
    let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {talk}"));
    (document, talk)
}

/// Sends a signal, such as `-INT`.
pub(crate) fn signal(signal: &str, process: u32) {
    let status = Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Whether a process does anything still: the remains of one do not.
pub(crate) fn lives(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
