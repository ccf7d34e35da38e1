//! No model at all.

use super::score::Score;
use super::{Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The next point of a scrambled Sobol sequence over the space.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Random {}

impl Rule for Random {
    fn needs_models(&self) -> bool {
        false
    }

    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        Score::hinged(situation.bands, vec![0.0; situation.bands.len() - 1])
    }
}
