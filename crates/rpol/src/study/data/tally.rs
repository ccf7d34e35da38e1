//! The costs of a constraint, added up.

use crate::study::log::trial::{Trial, TrialState};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many of the last trials "recent" means.
const RECENT: usize = 20;

/// The costs of a constraint, added up in the order of their trials.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct Tally {
    /// The sum of the excesses that were measured.
    pub(in crate::study) measured: f64,
    pub(in crate::study) violations: u64,
    pub(in crate::study) observed: u64,
    /// Trials that failed and have not measured it.
    pub(in crate::study) failed: u64,
    /// The largest excess that was measured.
    pub(in crate::study) worst: f64,
    /// The last costs, `None` where a trial failed.
    pub(in crate::study) recent: VecDeque<Option<f64>>,
    /// What one failed trial counts for, where it is stated.
    pub(in crate::study) stated: Option<f64>,
}

impl Tally {
    /// Adds a trial that was asked for, where it has a value of this output or will never have one.
    pub(in crate::study) fn note(&mut self, trial: &Trial, output: usize, metric: &str) {
        let cost = observed(trial, output);
        match cost {
            Some(cost) => {
                self.measured += cost.max(0.0);
                self.violations += u64::from(cost > 0.0);
                self.observed += 1;
                self.worst = cost.max(self.worst);
            }
            None if is_unmeasured(trial, metric) => self.failed += 1,
            None => return,
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(cost);
    }

    /// What one failed trial counts for: what is stated, else the worst excess that was measured. The product with their
    /// number depends on no order, so neither late tells nor compaction change it.
    pub(in crate::study) fn per_failure(&self) -> f64 {
        self.stated.unwrap_or(self.worst)
    }

    /// What all failed trials count for.
    pub(in crate::study) fn by_failures(&self) -> f64 {
        (self.failed as f64 * self.per_failure()).min(f64::MAX)
    }

    /// All that was spent.
    pub(in crate::study) fn total(&self) -> f64 {
        (self.measured + self.by_failures()).min(f64::MAX)
    }

    /// The most that one trial was over the limit by.
    pub(in crate::study) fn dearest(&self) -> f64 {
        if self.failed > 0 { self.worst.max(self.per_failure()) } else { self.worst }
    }
}

/// What a trial that was asked for has shown of an output.
pub(in crate::study) fn observed(trial: &Trial, output: usize) -> Option<f64> {
    trial.decision.as_ref().and(trial.values[output]).map(|arrival| arrival.value)
}

/// Whether a trial that was asked for failed before it measured a metric.
fn is_unmeasured(trial: &Trial, metric: &str) -> bool {
    let failed = trial.state == TrialState::Fail && trial.decision.is_some();
    failed && !trial.metrics.contains_key(metric)
}
