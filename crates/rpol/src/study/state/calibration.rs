//! Whether forecasts keep what they promise.
//!
//! Where fewer than 90 % of the values fall into their 90 % intervals, the widths of later
//! decisions are stretched.

use super::State;
use super::forecast_errors::Answer;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A model that rests on fewer values promises nothing yet.
pub(in crate::study) const SETTLED: u64 = 8;
/// Half the width of the central 90 % interval, in deviations.
const HALF_WIDTH: f64 = 1.645;
/// Forecasts that say how far intervals have to be stretched: the last of them.
const RECENT: usize = 60;
/// Above this a model is no use, and wider intervals are no remedy.
const WIDEST: f64 = 3.0;
/// $|z|$ of twenty forecasts that are exactly right, at the probabilities 1/40, 3/40, ...: few data say little.
const RIGHT: [f64; 20] = [
    0.0313, 0.0941, 0.1573, 0.2211, 0.2858, 0.3518, 0.4193, 0.4888, 0.5607, 0.6357, 0.7144, 0.7978,
    0.8871, 0.9842, 1.0916, 1.2133, 1.3563, 1.5341, 1.7805, 2.2414,
];

/// The errors of answered forecasts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct Errors {
    pub(in crate::study) answered: u64,
    pub(in crate::study) within: u64,
    /// $|z|$ of the last ones, in order.
    recent: VecDeque<f64>,
}

impl Errors {
    pub(in crate::study) fn note(&mut self, answer: &Answer) {
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

    pub(in crate::study) fn stretch(&self) -> f64 {
        let found = upper_decile(self.recent.iter().chain(&RIGHT).copied().collect());
        (found / upper_decile(RIGHT.to_vec())).clamp(1.0, WIDEST)
    }
}

impl State {
    /// How much wider the intervals of an output have to be to hold what they promise.
    pub(in crate::study) fn stretch(&self, output: usize) -> f64 {
        self.forecast_errors[output].closed().errors.stretch()
    }
}

/// The value that a tenth is above; the k-th of n stands for the probability (k - 1/2) / n.
fn upper_decile(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let position = 0.9 * values.len() as f64 - 0.5;
    let (low, rest) = (position.floor() as usize, position.fract());
    values[low] * (1.0 - rest) + values[low + 1] * rest
}
