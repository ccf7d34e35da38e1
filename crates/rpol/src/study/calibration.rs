//! Whether forecasts keep what they promise.
//!
//! Where fewer than 90 % of the values fall into their 90 % intervals, the widths of later
//! decisions are stretched.

use super::state::State;
use super::study::Study;
use super::watch::Answer;
use serde::Serialize;
use std::collections::VecDeque;

/// A model that rests on fewer values promises nothing yet.
pub(super) const SETTLED: u64 = 8;
/// Half the width of the central 90 % interval, in deviations.
const HALF_WIDTH: f64 = 1.645;
/// Forecasts that say how far intervals have to be stretched: the last so many.
const RECENT: usize = 60;
/// Above this a model is no use, and wider intervals are no remedy.
const WIDEST: f64 = 3.0;
/// $|z|$ of twenty forecasts that are exactly right, at the probabilities 1/40, 3/40, ...: few data say little.
const RIGHT: [f64; 20] = [
    0.0313, 0.0941, 0.1573, 0.2211, 0.2858, 0.3518, 0.4193, 0.4888, 0.5607, 0.6357, 0.7144, 0.7978,
    0.8871, 0.9842, 1.0916, 1.2133, 1.3563, 1.5341, 1.7805, 2.2414,
];

/// How far the forecasts of an output can be trusted.
///
/// Counted are those made since the last change by a model of at least eight values, each against the value that came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// The metric.
    pub metric: String,
    /// Forecasts whose value has come.
    pub answered: u64,
    /// How many of the values lay in the central 90 % interval.
    pub within: u64,
    /// How much wider the intervals have to be to hold that: from 1 to 3, by the last sixty.
    pub stretch: f64,
}

/// The errors of answered forecasts.
#[derive(Debug, Clone, Default)]
pub(super) struct Errors {
    answered: u64,
    within: u64,
    /// $|z|$ of the last ones, in order.
    recent: VecDeque<f64>,
}

impl Errors {
    pub(super) fn note(&mut self, answer: &Answer) {
        if answer.forecast.values < SETTLED {
            return;
        }
        let z = answer.z().abs();
        self.answered += 1;
        self.within += u64::from(z <= HALF_WIDTH);
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(z);
    }

    fn stretch(&self) -> f64 {
        let found = upper_decile(self.recent.iter().chain(&RIGHT).copied().collect());
        (found / upper_decile(RIGHT.to_vec())).clamp(1.0, WIDEST)
    }
}

impl State {
    /// How much wider the intervals of an output have to be to hold what they promise.
    pub(super) fn stretch(&self, output: usize) -> f64 {
        self.watches[output].closed().errors.stretch()
    }
}

/// The value that a tenth is above; the k-th of n stands for the probability (k - 1/2) / n.
fn upper_decile(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let position = 0.9 * values.len() as f64 - 0.5;
    let (low, rest) = (position.floor() as usize, position.fract());
    values[low] * (1.0 - rest) + values[low + 1] * rest
}

impl Study {
    /// How far the forecasts can be trusted: the objective's, then those of each constraint.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "maximize reward"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for _ in 0..12 {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("reward", trial.params["x"].as_f64().unwrap())]).unwrap();
    /// }
    /// let reward = &study.calibration()[0];
    /// // The first eight values only teach.
    /// assert_eq!((reward.answered, reward.within <= 4), (4, true));
    /// ```
    #[must_use]
    pub fn calibration(&self) -> Vec<Calibration> {
        let of = |(q, metric): (usize, &str)| {
            let errors = self.state.watches[q].closed().errors;
            Calibration {
                metric: metric.into(),
                answered: errors.answered,
                within: errors.within,
                stretch: errors.stretch(),
            }
        };
        self.spec.outputs().into_iter().enumerate().map(of).collect()
    }
}
