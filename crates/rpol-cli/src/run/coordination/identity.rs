//! Who runs a trial, such that others on the same machine can tell whether it still does.

use rpol::study::Lease;
use std::fs;

/// A process, for ever: `host:pid:start:machine`. The machine is its boot and its space of process numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identity {
    host: String,
    process: u32,
    start: Option<u64>,
    machine: String,
}

impl Identity {
    /// This process.
    pub(crate) fn own() -> Self {
        let line = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_string());
        let boot = line("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        // Two containers on one machine count their processes apart.
        let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let digits: String = space.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        let host = line("/proc/sys/kernel/hostname").unwrap_or_else(|_| "here".into());
        let process = std::process::id();
        let machine = if boot.is_empty() { String::new() } else { format!("{boot}.{digits}") };
        Self { host, process, start: living_since(process), machine }
    }

    /// As a worker's name in the log.
    pub(crate) fn name(&self) -> String {
        let start = self.start.unwrap_or_default();
        format!("{}:{}:{start}:{}", self.host, self.process, self.machine)
    }

    /// Whether the process that holds a lease is known to live no more. Of other machines nothing is known: their
    /// leases run out.
    pub(crate) fn knows_gone(&self, lease: &Lease) -> bool {
        let mut parts = lease.worker.rsplitn(4, ':');
        let (machine, start, process) = (parts.next(), parts.next(), parts.next());
        let number = |part: Option<&str>| part.and_then(|text| text.parse::<u64>().ok());
        let (Some(start), Some(process)) = (number(start), number(process)) else { return false };
        let here = !self.machine.is_empty() && machine == Some(&self.machine);
        here && u32::try_from(process).is_ok_and(|process| living_since(process) != Some(start))
    }
}

/// When a process began, in ticks since the boot; none where there is no such process, or only its remains.
fn living_since(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold anything, even a parenthesis.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    fields.nth(18)?.parse().ok().filter(|_| !matches!(state, "Z" | "X"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn lease(identity: &Identity) -> Lease {
        Lease { worker: identity.name(), until: u64::MAX }
    }

    #[test]
    fn a_process_that_lives_is_not_gone_and_one_that_ended_is() {
        let own = Identity::own();
        assert!(!own.knows_gone(&lease(&own)));
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("cat");
        let start = living_since(child.id());
        assert!(start.is_some());
        let other = Identity { process: child.id(), start, ..own.clone() };
        assert!(!own.knows_gone(&lease(&other)));
        child.kill().expect("it lives");
        // Its remains are no life, though nobody has taken notice of its end yet.
        while living_since(child.id()).is_some() {
            std::thread::yield_now();
        }
        assert!(own.knows_gone(&lease(&other)));
        child.wait().expect("it ended");
        assert!(own.knows_gone(&lease(&other)));
    }

    #[test]
    fn another_process_of_the_same_number_is_not_the_one_that_had_it() {
        let own = Identity::own();
        let earlier = Identity { start: own.start.map(|start| start + 1), ..own.clone() };
        assert!(own.knows_gone(&lease(&earlier)));
    }

    #[test]
    fn of_other_machines_boots_and_names_nothing_is_known() {
        let own = Identity::own();
        let elsewhere = Identity { machine: "another.1".into(), process: 1, ..own.clone() };
        assert!(!own.knows_gone(&lease(&elsewhere)));
        for worker in ["", "me", ":::", "a:b:c:d"] {
            assert!(!own.knows_gone(&Lease { worker: worker.into(), until: 0 }), "{worker}");
        }
        let nowhere = Identity { machine: String::new(), ..own };
        assert!(!nowhere.knows_gone(&Lease { worker: "h:1:1:".into(), until: 0 }));
    }
}
