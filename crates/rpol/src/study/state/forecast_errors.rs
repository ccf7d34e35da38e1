//! Answered forecasts of an output, added up since the last change was noticed.

use super::calibration::{Errors, SETTLED};
use crate::study::log::forecast::Forecast;
use crate::study::log::trial::Trial;
use serde::{Deserialize, Serialize};

/// A forecast and the value that answered it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::study) struct Answer {
    /// The trial, by whose number answers of one round are in order.
    pub(in crate::study) number: u64,
    /// The round of the decision.
    pub(in crate::study) asked: u64,
    pub(in crate::study) forecast: Forecast,
    value: f64,
    /// Deviation of this value's own noise.
    noise: f64,
    /// The value as it was told.
    pub(in crate::study) raw: f64,
}

impl Answer {
    /// What a trial's value of an output answers, where a forecast was made of it.
    pub(in crate::study) fn of(trial: &Trial, output: usize) -> Option<Self> {
        let forecast = *trial.decision.as_ref()?.forecast.get(output)?;
        let arrival = trial.values[output]?;
        let warp = forecast.warp;
        let noise = arrival.sem.map_or(forecast.noise, |sem| sem * warp.slope(arrival.value));
        let raw = arrival.value;
        let (number, asked, value) = (trial.number, trial.round, warp.apply(raw));
        Some(Self { number, asked, forecast, value, noise, raw })
    }

    /// The error in predictive deviations.
    pub(in crate::study) fn z(&self) -> f64 {
        let deviation = self.forecast.deviation.hypot(self.noise).max(f64::MIN_POSITIVE);
        (self.value - self.forecast.mean) / deviation
    }

    /// The error as a doubt counts it. The latent errors of forecasts made while others were on their way may be one and the
    /// same error: the sum of n such has the variance of n independent ones with n times theirs.
    pub(in crate::study) fn error(&self) -> f64 {
        let shared = self.forecast.deviation * (1.0 + self.forecast.pending as f64).sqrt();
        let deviation = self.forecast.stretch * shared.hypot(self.noise);
        (self.value - self.forecast.mean) / deviation.max(f64::MIN_POSITIVE)
    }

    /// Whether the model rested on enough and knew the place better than one measurement would have told it.
    pub(in crate::study) fn was_known(&self) -> bool {
        self.forecast.values >= SETTLED && self.forecast.deviation <= self.noise
    }

    /// The same value held against others of its setting alone, by their median and the noise of one. Of the repeats of a setting
    /// it is the one after `repeats`: what is wrong with the others is so for every repeat.
    pub(in crate::study) fn against(&self, others: &[f64], repeats: u64, stretch: f64) -> Self {
        let warp = self.forecast.warp;
        let mut sorted: Vec<f64> = others.iter().map(|value| warp.apply(*value)).collect();
        sorted.sort_by(f64::total_cmp);
        let middle = [(sorted.len() - 1) / 2, sorted.len() / 2].map(|i| sorted[i]);
        let mean = middle[0].midpoint(middle[1]);
        let deviation = self.forecast.noise / (sorted.len() as f64).sqrt();
        let own = Forecast { mean, deviation, pending: repeats, stretch, ..self.forecast };
        Self { forecast: own, ..*self }
    }

    /// How much better the prior, which knows nothing of the past, would have told the value.
    pub(in crate::study) fn fresh(&self) -> f64 {
        let Forecast { mean, deviation, centre, prior, .. } = self.forecast;
        let forecast = deviation.hypot(self.noise).max(f64::MIN_POSITIVE);
        let unknowing = prior.hypot(self.noise).max(f64::MIN_POSITIVE);
        let (near, far) = ((self.value - mean) / forecast, (self.value - centre) / unknowing);
        let fresh = (near.powi(2) - far.powi(2)) / 2.0 - (unknowing / forecast).ln();
        // Where both overflow neither is better.
        Some(fresh).filter(|fresh| !fresh.is_nan()).unwrap_or(0.0)
    }
}

/// What the answers of an output add up to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct ForecastErrors {
    pub(in crate::study) errors: Errors,
    /// Answers of the open round: their order is known when it closes.
    open: Vec<Answer>,
}

impl ForecastErrors {
    /// Hears of an answer in the open round.
    pub(in crate::study) fn hear(&mut self, answer: Answer) {
        self.open.push(answer);
    }

    /// Answers of the open round by trial, so that the order of their tells does not matter.
    pub(in crate::study) fn heard(&self) -> Vec<Answer> {
        let mut heard = self.open.clone();
        heard.sort_by_key(|answer| answer.number);
        heard
    }

    /// The same with the open round closed.
    pub(in crate::study) fn closed(&self) -> Self {
        let mut closed = self.clone();
        closed.close();
        closed
    }

    pub(in crate::study) fn close(&mut self) {
        self.heard().iter().for_each(|answer| self.errors.note(answer));
        self.open.clear();
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
        Answer { number: 6, asked: 7, forecast, value, noise: 0.0, raw: value }
    }

    #[test]
    fn what_may_be_one_error_counts_once() {
        assert_eq!((answer(9.0, 0).error(), answer(9.0, 3).error()), (4.0, 2.0));
        assert_eq!(answer(9.0, 3).z(), 4.0, "an interval is that of one value");
    }

    #[test]
    fn the_prior_is_better_where_the_forecast_is_far_off() {
        // ln of N(y; 5, 20^2) / N(y; 1, 2^2)
        let expected = (4.0f64.powi(2) - 0.2f64.powi(2)) / 2.0 - 10f64.ln();
        assert!((answer(9.0, 0).fresh() - expected).abs() < 1e-12);
        assert!(answer(1.0, 0).fresh() < 0.0);
        assert_eq!(answer(1e300, 0).fresh(), 0.0, "beyond all bounds");
    }

    #[test]
    fn a_repeat_is_held_against_the_median_of_its_setting() {
        let mut repeat = Answer { noise: 3.0, ..answer(9.0, 1) };
        repeat.forecast.noise = 3.0;
        let alone = |repeats: u64, stretch: f64| repeat.against(&[5.0], repeats, stretch).error();
        assert!((alone(0, 1.0) - 4.0 / 18f64.sqrt()).abs() < 1e-12);
        assert!(
            (alone(2, 2.0) - 4.0 / 12.0).abs() < 1e-12,
            "by its own noise and three times the other's"
        );
        let many = repeat.against(&[4.0, 1e6, 2.0, -1e6], 0, 1.0);
        assert_eq!((many.forecast.mean, many.forecast.deviation), (3.0, 1.5));
    }
}
