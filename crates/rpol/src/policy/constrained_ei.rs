//! Expected improvement times the probability of being feasible.

use super::score::Score;
use super::{Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Constrained EI (Gardner et al. 2014): $\mathrm{EI}(x)\prod_i\Phi(-\mu_i(x)/\sigma_i(x))$ over the best
/// feasible observation; before there is one, the product alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConstrainedEi {}

impl Rule for ConstrainedEi {
    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        Score::improvement(situation.best)
    }
}
