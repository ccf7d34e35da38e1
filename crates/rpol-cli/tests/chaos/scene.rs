//! Folders with a store and a study's file each; the studies in them; and what was promised of these.

use crate::plan::Plan;
use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

pub(crate) const STUDY: &str = r#"
objective = "minimize cost"
constraints = ["load <= 150"]
horizon = 30
[params]
x = { type = "int", low = 0, high = 100 }
y = { type = "int", low = 0, high = 100 }
[run]
command = ["sh", "measure.sh", "{x}", "{y}"]
workers = 2
report = "report.html"
"#;

/// Writes down what it measured before it says so. Every result is another one: its digits name trial and process.
const MEASURE: &str = r#"
cost=$(( ($1 - 30) * ($1 - 30) + ($2 - 70) * ($2 - 70) ))
load=$(( $1 + $2 ))
sleep 0.0$(( $$ % 8 ))
printf '%d.%03d%05d %d\n' "$cost" "$(( RPOL_TRIAL % 1000 ))" "$$" "$load" >> "$WITNESS" || exit 1
printf '{"cost": %d.%03d%05d, "load": %d}\n' "$cost" "$(( RPOL_TRIAL % 1000 ))" "$$" "$load"
"#;

/// Room of the small disk: enough for its studies.
const SMALL: &str = "size=192m";

/// What somebody was told: once said, it is in the log.
#[derive(Debug, Default, Clone)]
pub(crate) struct Promised {
    /// Costs of results, each another one.
    pub(crate) costs: Vec<f64>,
    /// Trials with their settings.
    pub(crate) asked: Vec<(u64, [i64; 2])>,
    /// Trials that a run said to have ended.
    pub(crate) ended: Vec<u64>,
}

pub(crate) struct Scene {
    root: PathBuf,
    homes: Vec<PathBuf>,
    small: Option<PathBuf>,
    /// The studies that are worked on now: one a line, each followed by the next when it is done.
    generations: Vec<AtomicU64>,
    promised: Mutex<HashMap<String, Promised>>,
    results: AtomicU64,
}

impl Scene {
    pub(crate) fn new(name: &str, plan: &Plan) -> Self {
        let folder = format!("rpol-chaos-{name}-{}", std::process::id());
        let root = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&root);
        let homes: Vec<PathBuf> = (0..2).map(|i| root.join(format!("home{i}"))).collect();
        for folder in homes.iter().chain([&root.join("witness"), &root.join("said")]) {
            fs::create_dir_all(folder).unwrap();
        }
        let small = (plan.mounts && mounted(&homes[1])).then(|| homes[1].clone());
        for home in &homes {
            fs::write(home.join("study.toml"), STUDY).unwrap();
            fs::write(home.join("measure.sh"), MEASURE).unwrap();
        }
        let generations = (0..plan.runs.div_ceil(2)).map(|_| AtomicU64::new(0)).collect();
        Self { root, homes, small, generations, promised: Mutex::default(), results: 1.into() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn homes(&self) -> &[PathBuf] {
        &self.homes
    }

    /// The disk that can be filled.
    pub(crate) fn small(&self) -> Option<&Path> {
        self.small.as_deref()
    }

    pub(crate) fn lines(&self) -> usize {
        self.generations.len()
    }

    /// The study of a line, and the folder of its store.
    pub(crate) fn study(&self, line: usize) -> (String, &Path) {
        let generation = self.generations[line].load(Ordering::SeqCst);
        (format!("s{line}-{generation}"), &self.homes[line % self.homes.len()])
    }

    /// The study is done: the next one begins.
    pub(crate) fn done(&self, line: usize, study: &str) {
        let generation = study.rsplit('-').next().and_then(|text| text.parse::<u64>().ok());
        self.generations[line].fetch_max(generation.unwrap() + 1, Ordering::SeqCst);
    }

    pub(crate) fn witness(&self, study: &str) -> PathBuf {
        self.root.join("witness").join(study)
    }

    /// A result that nobody else has, written down.
    pub(crate) fn result(&self, study: &str, load: i64) -> f64 {
        let cost = 20_000 + self.results.fetch_add(1, Ordering::SeqCst);
        let mut file = OpenOptions::new().create(true).append(true).open(self.witness(study));
        file.as_mut().unwrap().write_all(format!("{cost} {load}\n").as_bytes()).unwrap();
        cost as f64
    }

    /// Notes what was promised of a study.
    pub(crate) fn promise(&self, study: &str, note: impl FnOnce(&mut Promised)) {
        let mut all = self.promised.lock().unwrap_or_else(PoisonError::into_inner);
        note(all.entry(study.into()).or_default());
    }

    pub(crate) fn promised(&self) -> HashMap<String, Promised> {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Removes everything, where nothing is to be looked at.
    pub(crate) fn remove(&self) {
        self.unmount();
        let _ = fs::remove_dir_all(&self.root);
    }

    /// Keeps a copy of what is on the small disk.
    pub(crate) fn keep(&self) {
        if let Some(small) = &self.small {
            let copy = self.root.join("home1-kept");
            let _ = quietly(Command::new("cp").arg("-a").arg(small).arg(copy));
        }
        self.unmount();
    }

    fn unmount(&self) {
        if let Some(small) = &self.small {
            let _ = quietly(Command::new("umount").arg("-l").arg(small));
        }
    }
}

fn mounted(at: &Path) -> bool {
    let mut mount = Command::new("mount");
    quietly(mount.args(["-t", "tmpfs", "-o", SMALL, "tmpfs"]).arg(at))
}

fn quietly(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
