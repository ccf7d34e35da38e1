//! A child and all it has started, as one process group.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::time::{Duration, Instant};

/// Time to end in good order.
const GRACE: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A process group, named by its first process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group(i32);

impl Group {
    /// The group that a child leads.
    pub(crate) fn of(child: &std::process::Child) -> Self {
        Self(child.id() as i32)
    }

    /// Asks it to end, and ends it when it has not after a while.
    pub(crate) fn end(self) {
        self.signal(Signal::TERM);
        let asked = Instant::now();
        while self.lives() && asked.elapsed() < GRACE {
            std::thread::sleep(LOOK_EVERY);
        }
        self.kill();
    }

    /// Ends it at once.
    pub(crate) fn kill(self) {
        self.signal(Signal::KILL);
    }

    fn lives(self) -> bool {
        Pid::from_raw(self.0).is_some_and(|group| test_kill_process_group(group).is_ok())
    }

    /// One that is gone already needs no signal.
    fn signal(self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.0) {
            let _ = kill_process_group(group, signal);
        }
    }
}
