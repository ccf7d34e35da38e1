//! What a decision expected of its values, so that what comes can be held against it without a model.

use crate::gp::Warp;
use crate::random::normal_cdf;
use serde::{Deserialize, Serialize};

/// What was expected of one output when a setting was chosen, with the signs of the models (the objective as one maximises
/// it, a constraint kept at or below 0): in the output's own unit, or of what the models make of it, its [`Warp`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Forecast {
    /// $\mu(x)$.
    pub mean: f64,
    /// $\sigma(x)$, latent, given the values that had arrived: pending trials do not narrow it.
    pub deviation: f64,
    /// Deviation of the noise of one plain observation.
    pub noise: f64,
    /// Mean of the prior.
    pub centre: f64,
    /// Latent deviation of the prior.
    pub prior: f64,
    /// What all of these are of: a function of the output.
    #[serde(default, skip_serializing_if = "Warp::is_identity")]
    pub warp: Warp,
    /// How many values the model rested on.
    pub values: u64,
    /// How many more were on their way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pending: u64,
    /// How much wider intervals had to be by then to hold what they promise.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub stretch: f64,
}

impl Forecast {
    /// The value, or the nearest to it that is no farther from what was expected than `deviations` deviations.
    pub(in crate::study) fn nearest(&self, value: f64, deviations: f64) -> f64 {
        let reach = deviations * self.stretch * self.deviation.hypot(self.noise);
        let (low, high) = (self.mean - reach, self.mean + reach);
        let warped = self.warp.apply(value);
        // Nothing is changed that need not be, not even by rounding.
        if !reach.is_finite() || (low..=high).contains(&warped) {
            return value;
        }
        self.warp.invert(warped.clamp(low, high))
    }

    /// By how many deviations a value is above what was expected.
    pub(in crate::study) fn surprise(&self, value: f64) -> f64 {
        let deviation = self.stretch * self.deviation.hypot(self.noise);
        (self.warp.apply(value) - self.mean) / deviation
    }

    /// The probability that the output's mean is above 0, once a value with this standard error has come.
    pub(in crate::study) fn over_given(&self, value: f64, sem: Option<f64>) -> f64 {
        let noise = sem.map_or(self.noise, |sem| sem * self.warp.slope(value));
        let latent = self.stretch * self.deviation;
        let total = latent.hypot(noise);
        if total <= 0.0 {
            return f64::from(self.mean > 0.0);
        }
        // By precision, as a filter would.
        let share = (latent / total).powi(2);
        let mean = self.mean + share * (self.warp.apply(value) - self.mean);
        let deviation = latent * (noise / total);
        match deviation > 0.0 {
            true => normal_cdf(mean / deviation),
            false => f64::from(mean > 0.0),
        }
    }
}

fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_one(stretch: &f64) -> bool {
    *stretch == 1.0
}
