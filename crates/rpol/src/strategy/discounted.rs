//! Old values count less.

use super::{Learning, Memory, Sight, Target, Timing};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// W-GP-UCB (Deng et al. 2022): round $s$ has weight $\eta^{t-s}$ at decision $t$, that is noise
/// $\lambda\,\eta^{-(t-s)}$. Only differences of rounds are ever raised to a power.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discounted {
    /// $\eta$, above 0 and at most 1.
    pub factor: f64,
}

/// Beyond this the value says nothing any more, and the matrix would only lose digits.
const FORGOTTEN: f64 = 1e9;

impl Learning for Discounted {
    fn sees(&self, _: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let age = t.saturating_sub(value.asked) as f64;
        let stretch = self.factor.powf(-age);
        let seen = value.arrived.is_some_and(|a| a < t) && stretch < FORGOTTEN;
        seen.then_some(Sight { target: Target::Value, stretch })
    }

    fn first(&self, _: &Memory, t: u64) -> u64 {
        // One more, lest rounding hides a value that is still seen.
        let ages = FORGOTTEN.ln() / (1.0 / self.factor).ln() + 2.0;
        t.saturating_sub(ages as u64)
    }

    fn validate(&self) -> Result<()> {
        if self.factor > 0.0 && self.factor <= 1.0 {
            return Ok(());
        }
        let problem = format!("{} is not a discount: give a number in (0, 1]", self.factor);
        Err(Error::spec("strategy.factor", problem))
    }
}
