//! RPOL.

use super::score::Score;
use super::{Closing, Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rectified penalty (the paper, section 3):
///
/// $$x_t = \arg\max_x\; \hat f_t(x) - \sum_i Q_{t,i}\,\check g_{t,i}^+(x), \qquad
///   Q_{t+1,i} = \max\Big(Q_{t,i} + \sum c_i^+,\; \sqrt t\Big), \quad Q_{1,i} = 1,$$
///
/// where the sum runs over the costs revealed in round $t$.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rectified {}

impl Rule for Rectified {
    fn start(&self, constraints: usize) -> Vec<f64> {
        vec![1.0; constraints]
    }

    fn close(&self, multipliers: &mut [f64], closing: &Closing<'_>) {
        let floor = (closing.t as f64).sqrt();
        for (q, costs) in multipliers.iter_mut().zip(closing.revealed) {
            let violation: f64 = costs.iter().map(|c| c.max(0.0)).sum();
            *q = (*q + violation).max(floor);
        }
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        Score::hinged(situation.bands, situation.multipliers.to_vec())
    }
}
