//! What a decision expected of its values, so that what comes can be held against it without a model.

use super::mind::Mind;
use super::state::State;
use super::trial::Trial;
use crate::error::Result;
use crate::strategy::Surprise;
use serde::{Deserialize, Serialize};

/// What was expected of one output when a setting was chosen: in the output's own unit, with the signs of the
/// models (the objective as one maximises it, a constraint kept at or below 0).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
    /// How many values the model rested on.
    pub values: u64,
    /// How many more were on their way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pending: u64,
    /// How much wider intervals had to be by then to hold what they promise.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub stretch: f64,
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

/// A forecast and the value that answered it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// The round of the decision.
    asked: u64,
    pub(super) forecast: Forecast,
    value: f64,
    /// Deviation of this value's own noise.
    noise: f64,
}

impl Answer {
    /// The error in predictive deviations.
    pub(super) fn z(&self) -> f64 {
        let deviation = self.forecast.deviation.hypot(self.noise).max(f64::MIN_POSITIVE);
        (self.value - self.forecast.mean) / deviation
    }

    /// The same as evidence of a change. The latent errors of forecasts made while others were on their way may be
    /// one and the same error: the sum of n such has the variance of n independent ones with n times theirs.
    fn surprise(&self) -> Surprise {
        let Forecast { mean, deviation, centre, prior, values, pending, stretch, .. } =
            self.forecast;
        let shared = deviation * (1.0 + pending as f64).sqrt();
        let forecast = (stretch * shared.hypot(self.noise)).max(f64::MIN_POSITIVE);
        let unknowing = prior.hypot(self.noise).max(f64::MIN_POSITIVE);
        let error = (self.value - mean) / forecast;
        let far = (self.value - centre) / unknowing;
        let fresh = (error.powi(2) - far.powi(2)) / 2.0 - (unknowing / forecast).ln();
        // Where both are beyond all bounds neither is better.
        let fresh = Some(fresh).filter(|f| !f.is_nan()).unwrap_or(0.0);
        let known = prior / deviation.max(f64::MIN_POSITIVE);
        Surprise { asked: self.asked, values, error, claim: (known.ln() - 1.0).max(0.0), fresh }
    }
}

impl State {
    /// Answered forecasts of an output, in the order of the values' arrival; those of one round by trial, so that
    /// the order of their tells does not matter. Only those made since the last change was noticed.
    pub(super) fn answers(&self, output: usize) -> Vec<Answer> {
        let since = self.trials.partition_point(|trial| trial.round < self.noticed);
        let answered = self.trials[since..].iter().filter_map(|trial| {
            let forecast = *trial.decision.as_ref()?.forecast.get(output)?;
            let arrival = trial.values[output].filter(|_| trial.counts(output))?;
            let noise = arrival.sem.unwrap_or(forecast.noise);
            let answer = Answer { asked: trial.round, forecast, value: arrival.value, noise };
            Some((arrival.round, answer))
        });
        let mut answered: Vec<(u64, Answer)> = answered.collect();
        answered.sort_by_key(|(round, _)| *round);
        answered.into_iter().map(|(_, answer)| answer).collect()
    }

    /// What the values of an output say of a change since the last one.
    pub(super) fn surprises(&self, output: usize) -> Vec<Surprise> {
        self.answers(output).iter().map(Answer::surprise).collect()
    }

    /// Trials whose value of an output the models wait for.
    fn pending(&self, output: usize) -> u64 {
        let waiting = |trial: &&Trial| trial.counts(output) && trial.values[output].is_none();
        self.trials.iter().filter(waiting).count() as u64
    }
}

impl Mind {
    /// What is expected of every output at `x`; nothing where a number is beyond all bounds.
    pub(super) fn forecast(&self, x: &[f64]) -> Result<Vec<Forecast>> {
        let outputs = 0..self.models.outputs();
        let all: Vec<Forecast> =
            outputs.map(|q| self.forecast_output(q, x)).collect::<Result<_>>()?;
        let finite = |f: &Forecast| {
            [f.mean, f.deviation, f.noise, f.centre, f.prior].iter().all(|v| v.is_finite())
        };
        Ok(if all.iter().all(finite) { all } else { Vec::new() })
    }

    fn forecast_output(&self, q: usize, x: &[f64]) -> Result<Forecast> {
        let (posterior, place) = self.models.on_values(q);
        let (belief, scale) = (posterior.predict(x)?, self.models.scale(q));
        Ok(Forecast {
            mean: belief.mean[place],
            deviation: belief.deviation[place],
            noise: scale.spread * self.models.noise(q).sqrt(),
            centre: scale.centre,
            prior: scale.spread * posterior.factor().kernel().value(x, x).sqrt(),
            values: posterior.observations() as u64,
            pending: self.state.pending(q),
            stretch: self.state.stretch(q),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(value: f64, pending: u64) -> Answer {
        let forecast = Forecast {
            mean: 1.0,
            deviation: 2.0,
            noise: 0.0,
            centre: 5.0,
            prior: 20.0,
            values: 30,
            pending,
            stretch: 1.0,
        };
        Answer { asked: 7, forecast, value, noise: 0.0 }
    }

    #[test]
    fn what_may_be_one_error_counts_once() {
        let (alone, shared) = (answer(9.0, 0).surprise(), answer(9.0, 3).surprise());
        assert_eq!((alone.error, shared.error), (4.0, 2.0));
        assert_eq!(answer(9.0, 3).z(), 4.0, "an interval is that of one value");
    }

    #[test]
    fn the_prior_is_better_where_the_forecast_is_far_off() {
        // ln of N(y; 5, 20^2) / N(y; 1, 2^2)
        let expected = (4.0f64.powi(2) - 0.2f64.powi(2)) / 2.0 - 10f64.ln();
        let surprise = answer(9.0, 0).surprise();
        assert!((surprise.fresh - expected).abs() < 1e-12, "{surprise:?}");
        assert!((surprise.claim - (10f64.ln() - 1.0)).abs() < 1e-12);
        assert!(answer(1.0, 0).surprise().fresh < 0.0);
        assert_eq!(answer(1e300, 0).surprise().fresh, 0.0, "beyond all bounds");
    }
}
