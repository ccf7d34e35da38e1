//! What to run now, under a promise.

use super::guard::is_same;
use super::looked::best;
use crate::study::event::Promise;
use crate::study::mind::Mind;

/// How probable it may be that the mean of a recommended setting is over a limit.
const DOUBT: f64 = 0.1;

impl Mind {
    /// Of the settings that were measured the one with the best expected objective among those whose means keep every limit
    /// with a probability of at least 90 %, jointly, and, where there is a baseline, whose own measurements do not speak
    /// against them; `None` while there is none.
    pub(in crate::study) fn recommended(&self) -> Option<Vec<f64>> {
        let limits = self.limits();
        let tried = self.believed(self.tried_settings());
        // Without a baseline the noise may be deeper than the limits: then single measurements prove nothing.
        let proved = |x: &[f64]| self.spec.baseline.is_none() || self.proved(x);
        let sure = |j: &usize| {
            tried.over(&limits, *j, Promise::Mean) <= DOUBT && proved(&tried.points[*j])
        };
        let j = best((0..tried.points.len()).filter(sure), |j| tried.mean(j))?;
        Some(tried.points[j].clone())
    }

    /// Whether a setting's own measurements speak for it: it was within the limits the last time and never failed, and their
    /// means are within every limit. At a cliff the models, which are smooth, may think better of it.
    fn proved(&self, x: &[f64]) -> bool {
        let own = || self.state.unsettled().iter().filter(|trial| is_same(&trial.x, x));
        let within = |q: usize| {
            let values: Vec<f64> = own().filter_map(|t| Some(t.values[q]?.value)).collect();
            values.iter().sum::<f64>() <= 0.0
        };
        self.kept_of_late(x) && (1..=self.spec.constraints.len()).all(within)
    }
}
