//! CONFIG.

use super::score::Score;
use super::{Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// CONFIG (Xu et al. 2022): $\arg\max\hat f$ subject to every $\check g_i \le 0$. Where no point qualifies
/// the problem is declared infeasible.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constrained {
    /// What to do where no point qualifies.
    #[serde(default)]
    pub when_infeasible: WhenInfeasible,
}

/// What to do where the model believes that no point is feasible.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WhenInfeasible {
    /// Say so, and play $\arg\min\max_i\check g_i$.
    #[default]
    PlayLeast,
    /// Say so, and give no suggestion.
    Stop,
}

impl Rule for Constrained {
    fn stops_when_infeasible(&self) -> bool {
        self.when_infeasible == WhenInfeasible::Stop
    }

    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let constraints = situation.bands.len() - 1;
        Score::hinged(situation.bands, vec![f64::INFINITY; constraints])
    }
}
