//! What to run now, under a promise.
//!
//! Only measured settings are recommended: the best of all settings by the surrogate is often one
//! where the surrogate is wrong in its favour. A setting's own measurements must agree, because a
//! smooth surrogate may think better of a setting at a cliff than its measurements do.

use super::looked::best;
use crate::study::log::event::Promise;
use crate::study::surrogate::context::Context;

/// How probable it may be that the mean of a recommended setting is over a limit.
const DOUBT: f64 = 0.1;

/// One trial in this number of a recommended setting may have gone over a limit.
const SELDOM: u64 = 10;

impl Context<'_> {
    /// Of the settings that were measured the one with the best expected objective among those whose means keep every limit
    /// with a probability of at least 90 %, jointly; `None` while there is none.
    ///
    /// Where there is a baseline, what is recommended keeps the promise too: its next measurement goes over with a
    /// probability of at most the risk, and of its own trials none failed and one of ten at most went over.
    pub(in crate::study) fn recommended(&self) -> Option<Vec<f64>> {
        let limits = self.limits();
        let tried = self.believed(self.tried_settings());
        // Without a baseline the noise may be deeper than the limits: then single measurements prove nothing.
        let guided = self.spec.baseline.is_some();
        // At a cliff the models, which are smooth, may think better of a setting than its own measurements do.
        let measured =
            |x: &[f64]| self.state.uncompacted().iter().filter(|t| t.x == x).count() as u64;
        let proved = |x: &[f64]| !guided || self.state.record.speaks_for(x, measured(x) / SELDOM);
        let risk = match self.plan.policy.rule().promise() {
            Some(policy) if guided && self.state.record.baseline_keeps(policy.risk) => {
                policy.risk.max(policy.known())
            }
            _ => 1.0,
        };
        let sure = |j: &usize| {
            tried.over(&limits, *j, Promise::Mean) <= DOUBT
                && tried.over(&limits, *j, Promise::Measured) <= risk
                && proved(&tried.points[*j])
        };
        let j = best((0..tried.points.len()).filter(sure), |j| tried.mean(j))?;
        Some(tried.points[j].clone())
    }
}
