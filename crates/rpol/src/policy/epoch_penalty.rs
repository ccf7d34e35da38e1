//! Penalties that move once an epoch.

use super::score::Score;
use super::{Closing, Rule, Situation, positive};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shi & Eryilmaz 2022: epochs of $S$ rounds, each a fresh IGP-UCB on the single function
/// $f - \sum_j\kappa_jg_j$, whose noise is $\sqrt{1+\sum\kappa_j^2}$ times one output's and whose norm is at
/// most $B_f + \sum\kappa_jB_j$. At an epoch's end $\kappa_j \leftarrow (\kappa_j + \text{step}\cdot\overline{c_j})^+$.
///
/// The band of a sum on one factor: the outputs must share kernel and noise for the formula to be exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpochPenalty {
    /// $S$, in rounds.
    #[serde(default = "default_epoch")]
    pub epoch: u64,
    /// The step of the multipliers.
    #[serde(default = "default_step")]
    pub step: f64,
}

fn default_epoch() -> u64 {
    25
}

fn default_step() -> f64 {
    0.5
}

impl Default for EpochPenalty {
    fn default() -> Self {
        Self { epoch: default_epoch(), step: default_step() }
    }
}

impl Rule for EpochPenalty {
    fn bounds_the_sum(&self) -> bool {
        true
    }

    /// $\kappa$, then the sum and the count of the epoch's costs for each constraint.
    fn start(&self, constraints: usize) -> Vec<f64> {
        vec![0.0; 3 * constraints]
    }

    fn close(&self, multipliers: &mut [f64], closing: &Closing<'_>) {
        let (kappa, sums) = multipliers.split_at_mut(closing.revealed.len());
        for (j, costs) in closing.revealed.iter().enumerate() {
            sums[2 * j] += costs.iter().sum::<f64>();
            sums[2 * j + 1] += costs.len() as f64;
        }
        if closing.t.is_multiple_of(self.epoch) {
            for (j, kappa) in kappa.iter_mut().enumerate() {
                let (sum, count) = (sums[2 * j], sums[2 * j + 1]);
                *kappa =
                    (*kappa + self.step * if count > 0.0 { sum / count } else { 0.0 }).max(0.0);
            }
            sums.fill(0.0);
        }
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let constraints = situation.bands.len() - 1;
        Score::weighted_sum(situation.bands, situation.multipliers[..constraints].to_vec())
    }

    fn data_from(&self, t: u64) -> u64 {
        (t - 1) / self.epoch * self.epoch + 1
    }

    fn validate(&self) -> Result<()> {
        if self.epoch == 0 {
            return Err(Error::spec("policy.epoch", "0 is not usable: give at least 1 round"));
        }
        positive("step", self.step)
    }
}
