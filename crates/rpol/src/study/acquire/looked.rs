//! Settings, and what is believed of them.

use super::risk::Limits;
use crate::acquisition::Beliefs;
use crate::points::Points;
use crate::policy::score::Estimate;
use crate::study::log::event::Promise;
use crate::study::surrogate::context::Context;

/// Settings tried before that are looked at, the last of them.
const TRIED: usize = 256;

/// Settings and what is believed of them, in standard units.
pub(in crate::study) struct Looked {
    pub(in crate::study) points: Vec<Vec<f64>>,
    /// Means and deviations of every output.
    pub(in crate::study) outputs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Looked {
    pub(in crate::study) fn output(&self, q: usize, j: usize) -> Estimate {
        let (means, deviations) = &self.outputs[q];
        Estimate { mean: means[j], deviation: deviations[j] }
    }

    pub(in crate::study) fn at(&self, j: usize) -> Vec<Estimate> {
        (0..self.outputs.len()).map(|q| self.output(q, j)).collect()
    }

    pub(in crate::study) fn over(&self, limits: &Limits, j: usize, promise: Promise) -> f64 {
        limits.over(|q| self.output(q, j), promise)
    }

    /// $\mu_f$.
    pub(in crate::study) fn mean(&self, j: usize) -> f64 {
        self.outputs[0].0[j]
    }

    /// $\mu_f + \sigma_f$.
    pub(in crate::study) fn hope(&self, j: usize, deviations: f64) -> f64 {
        self.outputs[0].0[j] + deviations * self.outputs[0].1[j]
    }
}

/// The first of the best, by `value`.
pub(in crate::study) fn best(
    indices: impl Iterator<Item = usize>,
    value: impl Fn(usize) -> f64,
) -> Option<usize> {
    indices.reduce(|a, b| if value(b) > value(a) { b } else { a })
}

impl Context<'_> {
    pub(in crate::study) fn believed(&self, points: Vec<Vec<f64>>) -> Looked {
        let rows = Points::from_rows(self.spec.params.dims(), &points);
        Looked { outputs: Beliefs::standard_estimates(self.models, rows.view()), points }
    }

    /// Settings measured before, the last ones, and the baseline.
    pub(in crate::study) fn tried_settings(&self) -> Vec<Vec<f64>> {
        let inputs = self.models.on_values(0).0.factor().inputs();
        let first = inputs.len().saturating_sub(TRIED);
        let mut tried: Vec<Vec<f64>> = (first..inputs.len()).map(|i| inputs.point(i)).collect();
        tried.extend(self.baseline_point().filter(|x| !tried.contains(x)));
        tried
    }

    pub(in crate::study) fn baseline_point(&self) -> Option<Vec<f64>> {
        self.spec.params.encode(&self.spec.baseline.as_ref()?.params).ok()
    }
}
