//! A folder of its own for every test, and `rpol` run in it.
#![allow(dead_code, clippy::unwrap_used)]

use regex::Regex;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Two parameters of different kinds, one limit, one metric that is only kept.
pub(crate) const CACHE: &str = r#"
objective = "minimize cost"
constraints = ["p99_ms <= 250"]
track = ["memory"]
[params]
ttl_s = { type = "float", low = 1, high = 3600, log = true }
mode = { type = "categorical", choices = ["lru", "=cmd()", 2, true] }
"#;

pub(crate) struct Folder(PathBuf);

/// What a command said and how it ended.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("verbs-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// With the study `cache` of [`CACHE`] begun.
    pub(crate) fn with_cache() -> Self {
        let folder = Self::new();
        folder.write("cache.toml", CACHE);
        folder.ok(&["create", "cache.toml"]);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rpol"));
        command.args(args).current_dir(&self.0).env_remove("RPOL_STORAGE");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Said {
        said(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    pub(crate) fn feed(&self, args: &[&str], input: &str) -> Said {
        let mut command = self.command(args);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        said(child.wait_with_output().unwrap())
    }

    /// A command that must go well; what it printed.
    #[track_caller]
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let said = self.run(args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        said.out
    }

    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// A command refused with exit code 2 and these words; the log before is the log after.
    #[track_caller]
    pub(crate) fn refused(&self, args: &[&str], words: &[&str]) {
        let log = || self.run(&["export", "cache"]).out;
        let before = log();
        let said = self.run(args);
        said.is_refusal(args, words);
        assert_eq!(before, log(), "{args:?}");
    }
}

impl Said {
    #[track_caller]
    pub(crate) fn is_refusal(&self, args: &[&str], words: &[&str]) {
        let Said { code, out, err } = self;
        assert_eq!((*code, out.as_str()), (2, ""), "{args:?}: {err}");
        for word in words {
            assert!(err.contains(word), "{args:?}: {word:?} is not in {err:?}");
        }
        let control = |c: char| c.is_control() && c != '\n';
        assert!(!err.contains(control) && !err.contains("panicked"), "{args:?}: {err:?}");
    }
}

fn said(output: Output) -> Said {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    Said { code, out: text(output.stdout), err: text(output.stderr) }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Without times, and what depends on them or on the machine.
pub(crate) fn masked(transcript: &str) -> String {
    let moment = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z").unwrap();
    let milliseconds = Regex::new(r#""(at|until)":\d+"#).unwrap();
    let own = Regex::new(r#""(host|boot|check|checksum)":"[^"]*""#).unwrap();
    let transcript = own.replace_all(transcript, "\"$1\":\"...\"");
    let transcript = moment.replace_all(&transcript, "YYYY-MM-DDThh:mm:ss.mmmZ");
    milliseconds.replace_all(&transcript, "\"$1\":0").into_owned()
}

/// Two transcripts, line by line.
#[track_caller]
pub(crate) fn compare(pinned: &str, played: &str) {
    for (pinned, played) in pinned.lines().zip(played.lines()) {
        assert!(pinned == played || close(pinned, played), "{pinned}\n{played}");
    }
    assert_eq!(pinned.lines().count(), played.lines().count());
}

/// Another processor rounds the model's sums differently; nothing else may differ.
fn close(a: &str, b: &str) -> bool {
    let number = Regex::new(r"-?\d+\.\d+(e-?\d+)?").unwrap();
    let values = |line: &str| -> Vec<f64> {
        number.find_iter(line).map(|found| found.as_str().parse().unwrap()).collect()
    };
    let near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-3 * a.abs().max(b.abs()).max(1e-3);
    let (texts, numbers) = ([a, b].map(|line| number.replace_all(line, "#")), [a, b].map(values));
    let [ours, theirs] = numbers;
    texts[0] == texts[1] && ours.into_iter().zip(theirs).all(near)
}
