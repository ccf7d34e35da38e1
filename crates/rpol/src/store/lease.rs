//! Who holds a trial, and until when.
//!
//! Whether a hold is over is no matter of two calendar clocks, which may be hours apart or be set:
//!
//! 1. A trial that its worker gave back is free.
//! 2. A process of this machine that lives keeps its trial, be it suspended; one that has ended does not.
//! 3. A hold taken on this machine since it booted is over after its length, by the time since the boot. One of before
//!    that boot is over when this machine's calendar says so; so is one that says no more than its end.
//! 4. A hold taken on another machine is over once a reader has seen it unchanged for its length, or, for who sees it only
//!    once, a [day](GRACE) after its end: no clocks are farther apart.

use super::now;
use super::worker::{Life, Worker};
use crate::study::{Event, Lease, Trial, TrialState, Uptime};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How far calendar clocks of two machines may be apart, in milliseconds: more than any time zone.
const GRACE: u64 = 24 * 60 * 60 * 1000;

impl Lease {
    /// A hold from now on.
    #[must_use]
    pub fn begin(worker: &str, length: Duration) -> Self {
        let length = length.as_millis() as u64;
        let until = now().saturating_add(length);
        Self { length: Some(length), since: Uptime::now(), ..Self::new(worker, until) }
    }

    /// A hold that is given back.
    #[must_use]
    pub fn released(worker: &str) -> Self {
        Self::new(worker, 0)
    }
}

/// Where a trial stands now: as its [state](Trial::state), but [stale](TrialState::Stale) once nobody is at it any more.
///
/// ```
/// use rpol::{Spec, Study, study::{Lease, TrialState}, store::{Worker, standing}};
/// let spec = Spec::from_toml("name = 'a'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }").unwrap();
/// let mut study = Study::create(spec).unwrap();
/// study.ask().unwrap();
/// study.claim(0, Lease::released("me")).unwrap();
/// assert_eq!(standing(&study.trials()[0]), TrialState::Stale);
/// ```
#[must_use]
pub fn standing(trial: &Trial) -> TrialState {
    match &trial.lease {
        Some(lease) if trial.state == TrialState::Running && is_over(lease, Duration::ZERO) => {
            TrialState::Stale
        }
        _ => trial.state,
    }
}

/// Whether nobody is at a trial any more, by who has seen its hold unchanged for so long.
fn is_over(lease: &Lease, unchanged: Duration) -> bool {
    match Worker::own().life_of(&lease.worker) {
        _ if lease.is_released() => true,
        Life::Alive => false,
        Life::Gone => true,
        Life::Unknown => is_over_by_clocks(lease, Uptime::now().as_ref(), now(), unchanged),
    }
}

fn is_over_by_clocks(lease: &Lease, here: Option<&Uptime>, now: u64, unchanged: Duration) -> bool {
    let (Some(length), Some(since)) = (lease.length, &lease.since) else {
        return lease.until < now;
    };
    match here {
        Some(here) if here.boot == since.boot => here.at.saturating_sub(since.at) >= length,
        Some(here) if here.host == since.host => lease.until < now,
        _ => unchanged >= Duration::from_millis(length) || lease.until.saturating_add(GRACE) < now,
    }
}

/// Since when the hold of each open trial has been seen as it is.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch(HashMap<u64, Instant>);

impl Watch {
    /// Sees the open trials of a study.
    pub(super) fn of<'a>(trials: impl IntoIterator<Item = &'a Trial>) -> Self {
        let (held, now) = (|trial: &&Trial| trial.lease.is_some(), Instant::now());
        Self(trials.into_iter().filter(held).map(|trial| (trial.number, now)).collect())
    }

    /// Sees what follows.
    pub(super) fn see(&mut self, events: &[Event]) {
        let now = Instant::now();
        for event in events {
            match event {
                Event::Claimed { number, .. } => drop(self.0.insert(*number, now)),
                Event::Told { number, .. } => drop(self.0.remove(number)),
                _ => {}
            }
        }
    }

    /// No worker runs the trial, and nothing of it has arrived: what has a value was run, and the rest is late.
    pub(super) fn is_left(&self, trial: &Trial) -> bool {
        let unchanged = || self.0.get(&trial.number).map(Instant::elapsed).unwrap_or_default();
        trial.state == TrialState::Running
            && trial.metrics.is_empty()
            && trial.lease.as_ref().is_some_and(|lease| is_over(lease, unchanged()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    /// Claimed for an hour, at noon of a day in 2023 and an hour after the boot.
    const NOON: u64 = 1_700_000_000_000;

    fn lease(host: &str, boot: &str) -> Lease {
        let since = Uptime::new(host.into(), boot.into(), 60 * MINUTE);
        let until = NOON + 60 * MINUTE;
        Lease { length: Some(60 * MINUTE), since: Some(since), ..Lease::new("me", until) }
    }

    fn is_over(lease: &Lease, uptime: u64, now: u64, unchanged: u64) -> bool {
        let here = Uptime::new("here".into(), "this".into(), uptime);
        is_over_by_clocks(lease, Some(&here), now, Duration::from_millis(unchanged))
    }

    #[test]
    fn a_clock_that_is_set_moves_no_end_on_one_machine() {
        let lease = lease("here", "this");
        for now in [0, NOON, NOON + 30 * GRACE] {
            assert!(!is_over(&lease, 119 * MINUTE, now, 0));
            assert!(is_over(&lease, 120 * MINUTE, now, 0));
        }
    }

    #[test]
    fn a_clock_that_is_ahead_takes_nothing_from_another_machine() {
        let lease = lease("elsewhere", "another");
        let ahead = NOON + 12 * 60 * MINUTE;
        assert!(!is_over(&lease, 500 * MINUTE, ahead, 59 * MINUTE));
        assert!(is_over(&lease, 0, 0, 60 * MINUTE), "seen for as long as it was to be");
        assert!(is_over(&lease, 0, NOON + 61 * MINUTE + GRACE, 0), "seen once, a day later");
    }

    #[test]
    fn after_a_boot_and_in_logs_of_before_the_calendar_counts() {
        for lease in [lease("here", "another"), Lease::new("me", NOON + 60 * MINUTE)] {
            assert!(!is_over(&lease, 500 * MINUTE, NOON + 60 * MINUTE, 0));
            assert!(is_over(&lease, 0, NOON + 61 * MINUTE, 0));
        }
    }
}
