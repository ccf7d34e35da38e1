//! The processes that run now: what hurts them, and how each ends.

use crate::faults::Fault;
use crate::scene::Scene;
use rpol::random::Stream;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// No process may take longer; rpol itself waits for others for a minute.
const DEADLINE: Duration = Duration::from_secs(180);
/// How a program in Rust ends by one, even where nobody reads what it says.
const PANIC: i32 = 101;
const LOOK_EVERY: Duration = Duration::from_millis(10);

struct Victim {
    pid: Pid,
    hurt: BTreeSet<Fault>,
}

#[derive(Default)]
pub(crate) struct Processes {
    started: AtomicU64,
    living: Mutex<BTreeMap<u64, Victim>>,
    breaches: Mutex<Vec<String>>,
    ends: Mutex<BTreeMap<String, u64>>,
}

/// How a process ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Processes {
    pub(crate) fn started(&self) -> u64 {
        self.started.load(Ordering::SeqCst)
    }

    pub(crate) fn breach(&self, what: String) {
        self.breaches.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    pub(crate) fn breaches(&self) -> Vec<String> {
        self.breaches.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many processes ended how.
    pub(crate) fn ends(&self) -> BTreeMap<String, u64> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn living(&self) -> MutexGuard<'_, BTreeMap<u64, Victim>> {
        self.living.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hurts a process by lot; its number, unless there is none.
    pub(crate) fn hurt(
        &self,
        fault: Fault,
        random: &mut Stream,
        how: impl FnOnce(Pid),
    ) -> Option<u64> {
        let mut living = self.living();
        let among = living.len();
        let (number, victim) =
            (among > 0).then(|| living.iter_mut().nth(random.below(among)))??;
        victim.hurt.insert(fault);
        // While it is in the list it was not waited for, and its number is no other process's.
        how(victim.pid);
        Some(*number)
    }

    /// Sends a signal to a process if it lives.
    pub(crate) fn signal(&self, number: u64, signal: Signal) {
        if let Some(victim) = self.living().get(&number) {
            let _ = kill_process(victim.pid, signal);
        }
    }

    /// Runs a command to its end. Its output goes to files, so that it waits for nobody.
    pub(crate) fn run(&self, scene: &Scene, command: &mut Command, what: &str) -> Ended {
        let number = self.started.fetch_add(1, Ordering::SeqCst);
        let file = |end: &str| scene.root().join("said").join(format!("{number}.{end}"));
        let (out, err) = (file("out"), file("err"));
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&err).unwrap());
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        self.living().insert(number, Victim { pid, hurt: BTreeSet::new() });
        let (status, hurt) = self.wait(number, &mut child, what);
        let read = |file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
        let ended = Ended { code: status.code(), out: read(&out), err: read(&err) };
        self.judge(status, &hurt, what, &ended.err);
        let _ = (fs::remove_file(out), fs::remove_file(err));
        ended
    }

    fn wait(&self, number: u64, child: &mut Child, what: &str) -> (ExitStatus, BTreeSet<Fault>) {
        let began = Instant::now();
        loop {
            let mut living = self.living();
            if let Some(status) = child.try_wait().unwrap() {
                let victim = living.remove(&number);
                return (status, victim.map(|victim| victim.hurt).unwrap_or_default());
            }
            drop(living);
            if began.elapsed() > DEADLINE {
                self.breach(format!("stuck: {what} did not end within {DEADLINE:?}"));
                self.living().remove(&number);
                let _ = child.kill();
                return (child.wait().unwrap(), [Fault::Kill].into());
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Whether it ended as it may.
    fn judge(&self, status: ExitStatus, hurt: &BTreeSet<Fault>, what: &str, err: &str) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        *ends.entry(status.to_string()).or_default() += 1;
        drop(ends);
        let is_fine = match (status.code(), status.signal()) {
            (Some(code), _) => matches!(code, 0 | 1 | 2 | 130),
            (None, Some(signal)) => hurt.iter().any(|fault| fault.ends_by() == Some(signal)),
            (None, None) => false,
        };
        if !is_fine || err.contains("panicked") {
            let is_panic = status.code() == Some(PANIC) || err.contains("panicked");
            let kind = if is_panic { "panic" } else { "end" };
            self.breach(format!("{kind}: {what}: {status}, after {hurt:?}: {}", err.trim()));
        }
    }
}
