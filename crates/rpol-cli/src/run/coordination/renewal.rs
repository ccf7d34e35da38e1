//! When a worker says that it is still at a trial.

use std::time::Duration;

/// Renews a lease at a third of it, each time for at least as long as the trial has run: long trials write few entries.
#[derive(Debug)]
pub(crate) struct Renewal {
    lease: Duration,
    next: Duration,
}

impl Renewal {
    pub(crate) fn new(lease: Duration) -> Self {
        Self { lease, next: lease / 3 }
    }

    /// For how long to renew after a trial has run for `elapsed`; none while it is too early.
    pub(crate) fn due(&self, elapsed: Duration) -> Option<Duration> {
        (elapsed >= self.next).then(|| self.lease.max(elapsed))
    }

    /// Notes that it was renewed.
    pub(crate) fn renewed(&mut self, elapsed: Duration) {
        self.next = elapsed + self.lease.max(elapsed) / 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lease_never_runs_out_and_a_month_writes_few_entries() {
        let second = Duration::from_secs(1);
        let mut renewal = Renewal::new(60 * second);
        let (mut until, mut renewed) = (60 * second, 0);
        for elapsed in (0..30 * 86_400).map(|s| s * second) {
            assert!(elapsed <= until, "silent past the lease after {elapsed:?}");
            if let Some(longer) = renewal.due(elapsed) {
                until = elapsed + longer;
                renewal.renewed(elapsed);
                renewed += 1;
            }
        }
        assert!((10..60).contains(&renewed), "{renewed}");
    }
}
