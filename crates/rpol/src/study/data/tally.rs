//! The costs of a constraint, added up.

use crate::study::log::trial::Trial;
use std::collections::VecDeque;

/// How many of the last observations "recent" means.
const RECENT: usize = 20;

/// The costs of a constraint, added up in the order of their trials.
#[derive(Debug, Clone, Default)]
pub(in crate::study) struct Tally {
    /// The sum of the excesses.
    pub(in crate::study) total: f64,
    pub(in crate::study) violations: u64,
    pub(in crate::study) observed: u64,
    /// The largest excess.
    pub(in crate::study) worst: f64,
    /// The last ones.
    pub(in crate::study) recent: VecDeque<f64>,
}

impl Tally {
    /// Adds a trial, where it was asked for and has a value of this output.
    pub(in crate::study) fn note(&mut self, trial: &Trial, output: usize) {
        let Some(cost) = observed(trial, output) else { return };
        self.total += cost.max(0.0);
        self.violations += u64::from(cost > 0.0);
        self.observed += 1;
        self.worst = cost.max(self.worst);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(cost);
    }
}

/// What a trial that was asked for has shown of an output.
pub(in crate::study) fn observed(trial: &Trial, output: usize) -> Option<f64> {
    trial.decision.as_ref().and(trial.values[output]).map(|arrival| arrival.value)
}
