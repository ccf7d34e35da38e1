//! SafeOpt and StageOpt.

use super::score::Score;
use super::{Rule, Situation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// SafeOpt (Sui et al. 2015; Berkenkamp et al. 2021) and, with `expand`, StageOpt (Sui et al. 2018).
///
/// The safe set is $S = \{x : \mu_i + \beta\sigma_i \le 0 \;\forall i\}$ over the candidates; maximisers
/// are those of $S$ whose upper bound of $f$ reaches the best lower bound; expanders those where seeing
/// the lower bound of some $g_i$ would make an unsafe candidate safe. The widest of both is played, or
/// after `expand` rounds the one with the largest upper bound of $f$. Needs a known-safe setting: a
/// baseline or a feasible observation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Safe {
    /// StageOpt's $T_0$: the first rounds, which only expand; then only the objective counts.
    #[serde(default)]
    pub expand: Option<u64>,
}

impl Rule for Safe {
    fn safe_set(&self) -> Option<&Safe> {
        Some(self)
    }

    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let constraints = situation.bands.len() - 1;
        Score::hinged(situation.bands, vec![0.0; constraints])
    }
}
