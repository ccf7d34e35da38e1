//! The objective alone.

use super::score::Score;
use super::{Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// $\arg\max \hat f$: GP-UCB (Srinivas et al. 2010), IGP-UCB (Chowdhury & Gopalan 2017) and, with another
/// strategy, SW-GP-UCB, R-GP-UCB, W-GP-UCB and GP-UCB-SDF.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unconstrained {}

impl Rule for Unconstrained {
    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let constraints = situation.bands.len() - 1;
        Score::hinged(situation.bands, vec![0.0; constraints])
    }
}
