//! Answered forecasts of an output, added up since the last change was noticed.

use super::calibration::Errors;
use super::forecast::Forecast;
use super::trial::Trial;
use crate::strategy::{Runs, Strategy, Surprise};

/// A forecast and the value that answered it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    /// The trial, by whose number answers of one round are in order.
    pub(super) number: u64,
    /// The round of the decision.
    asked: u64,
    pub(super) forecast: Forecast,
    value: f64,
    /// Deviation of this value's own noise.
    noise: f64,
}

impl Answer {
    /// What a trial's value of an output answers, where a forecast was made of it.
    pub(super) fn of(trial: &Trial, output: usize) -> Option<Self> {
        let forecast = *trial.decision.as_ref()?.forecast.get(output)?;
        let arrival = trial.values[output]?;
        let warp = forecast.warp;
        let noise = arrival.sem.map_or(forecast.noise, |sem| sem * warp.slope(arrival.value));
        let (number, asked, value) = (trial.number, trial.round, warp.apply(arrival.value));
        Some(Self { number, asked, forecast, value, noise })
    }

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

/// What the answers of an output add up to.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch {
    pub(super) runs: Runs,
    pub(super) errors: Errors,
    /// Answers of the open round: their order is known when it closes.
    open: Vec<Answer>,
}

impl Watch {
    /// Hears of an answer in the open round.
    pub(super) fn hear(&mut self, answer: Answer) {
        self.open.push(answer);
    }

    /// The same with the open round closed: its answers by trial, so that the order of their tells does not matter.
    pub(super) fn closed(&self, strategy: &Strategy) -> Self {
        let mut closed = self.clone();
        closed.close(strategy);
        closed
    }

    pub(super) fn close(&mut self, strategy: &Strategy) {
        self.open.sort_by_key(|answer| answer.number);
        for answer in std::mem::take(&mut self.open) {
            if let Strategy::Watchful(strategy) = strategy {
                strategy.note(&mut self.runs, &answer.surprise());
            }
            self.errors.note(&answer);
        }
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
            warp: Default::default(),
            values: 30,
            pending,
            stretch: 1.0,
        };
        Answer { number: 6, asked: 7, forecast, value, noise: 0.0 }
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
