//! EPBO.

use super::score::Score;
use super::{Rule, Situation, positive};
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A penalty that never moves (Lu & Paulson 2022): $\arg\max \hat f - \rho\sum_i\check g_i^+$.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedPenalty {
    /// $\rho$.
    #[serde(default = "default_penalty")]
    pub penalty: f64,
}

fn default_penalty() -> f64 {
    10.0
}

impl Default for FixedPenalty {
    fn default() -> Self {
        Self { penalty: default_penalty() }
    }
}

impl Rule for FixedPenalty {
    fn start(&self, constraints: usize) -> Vec<f64> {
        vec![self.penalty; constraints]
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        Score::hinged(situation.bands, situation.multipliers.to_vec())
    }

    fn validate(&self) -> Result<()> {
        positive("penalty", self.penalty)
    }
}
