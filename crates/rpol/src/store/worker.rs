//! Who runs a trial, such that others on the same machine can tell whether it still does.

use crate::study::Uptime;
use std::fs;

/// A process, for ever: `host:pid:start:machine`. The machine is its boot and its space of process numbers.
///
/// ```
/// use rpol::store::Worker;
/// assert_eq!(Worker::own().name(), Worker::own().name());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    host: String,
    process: u32,
    start: Option<u64>,
    machine: String,
}

/// What is known of who holds a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Life {
    /// The process lives, be it that it is suspended.
    Alive,
    /// There is no such process any more.
    Gone,
    /// It is no process of this machine, or is not named like one.
    Unknown,
}

impl Worker {
    /// This process.
    #[must_use]
    pub fn own() -> Self {
        // Two containers on one machine count their processes apart.
        let (boot, space) = (boot(), namespace("pid"));
        let process = std::process::id();
        let machine = boot.map(|boot| format!("{boot}.{space}")).unwrap_or_default();
        Self { host: host(), process, start: living_since(process), machine }
    }

    /// As a worker's name in the log.
    #[must_use]
    pub fn name(&self) -> String {
        let start = self.start.unwrap_or_default();
        format!("{}:{}:{start}:{}", self.host, self.process, self.machine)
    }

    /// What is known of the process of that name. Of other machines nothing is: their leases run out.
    pub(super) fn life_of(&self, name: &str) -> Life {
        let mut parts = name.rsplitn(4, ':');
        let (machine, start, process) = (parts.next(), parts.next(), parts.next());
        let start = start.and_then(|start| start.parse::<u64>().ok());
        let process = process.and_then(|process| process.parse::<u32>().ok());
        let (Some(start), Some(process)) = (start, process) else { return Life::Unknown };
        match machine {
            Some(machine) if machine == self.machine && !machine.is_empty() => {
                if living_since(process) == Some(start) { Life::Alive } else { Life::Gone }
            }
            _ => Life::Unknown,
        }
    }
}

impl Uptime {
    /// Now, where the system tells how long it has been running.
    pub(super) fn now() -> Option<Self> {
        let uptime = line("/proc/uptime")?;
        let seconds: f64 = uptime.split(' ').next()?.parse().ok()?;
        // A space of times of one's own may begin anywhere.
        let boot = format!("{}.{}", boot()?, namespace("time"));
        Some(Self::new(host(), boot, (1000.0 * seconds) as u64))
    }
}

fn line(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_string())
}

fn boot() -> Option<String> {
    line("/proc/sys/kernel/random/boot_id").filter(|boot| !boot.is_empty())
}

fn host() -> String {
    line("/proc/sys/kernel/hostname").unwrap_or_else(|| "here".into())
}

fn namespace(kind: &str) -> String {
    let link = fs::read_link(format!("/proc/self/ns/{kind}")).unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
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

    #[test]
    fn a_process_that_lives_is_not_gone_and_one_that_ended_is() {
        let own = Worker::own();
        assert_eq!(own.life_of(&own.name()), Life::Alive);
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("cat");
        let start = living_since(child.id());
        assert!(start.is_some());
        let other = Worker { process: child.id(), start, ..own.clone() }.name();
        assert_eq!(own.life_of(&other), Life::Alive);
        child.kill().expect("it lives");
        // Its remains are no life, though nobody has taken notice of its end yet.
        while living_since(child.id()).is_some() {
            std::thread::yield_now();
        }
        assert_eq!(own.life_of(&other), Life::Gone);
        child.wait().expect("it ended");
        assert_eq!(own.life_of(&other), Life::Gone);
    }

    #[test]
    fn another_process_of_the_same_number_is_not_the_one_that_had_it() {
        let own = Worker::own();
        let earlier = Worker { start: own.start.map(|start| start + 1), ..own.clone() };
        assert_eq!(own.life_of(&earlier.name()), Life::Gone);
    }

    #[test]
    fn of_other_machines_boots_and_names_nothing_is_known() {
        let own = Worker::own();
        let elsewhere = Worker { machine: "another.1".into(), process: 1, ..own.clone() };
        assert_eq!(own.life_of(&elsewhere.name()), Life::Unknown);
        for worker in ["", "me", ":::", "a:b:c:d", "h:1:1:"] {
            assert_eq!(own.life_of(worker), Life::Unknown, "{worker}");
        }
        let nowhere = Worker { machine: String::new(), ..own };
        assert_eq!(nowhere.life_of("h:1:1:"), Life::Unknown);
    }

    #[test]
    fn the_clock_of_the_machine_goes_on() {
        let (one, two) = (Uptime::now().expect("Linux"), Uptime::now().expect("Linux"));
        assert!(one.at <= two.at && one.at > 0);
        assert_eq!((one.host, one.boot), (two.host, two.boot));
    }
}
