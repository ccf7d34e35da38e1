//! A fresh start at fixed intervals.

use super::{Learning, Memory, Sight, Timing, at_least_one};
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// R-GP-UCB (Bogunovic, Scarlett & Cevher 2016; Deng et al. 2022): the data of the current block of $H$
/// rounds. Multipliers are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// $H$, in rounds.
    pub period: u64,
}

impl Learning for Restart {
    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        (value.asked >= self.first(memory, t) && value.arrived.is_some_and(|a| a < t))
            .then_some(Sight::VALUE)
    }

    fn first(&self, _: &Memory, t: u64) -> u64 {
        (t - 1) / self.period * self.period + 1
    }

    fn validate(&self) -> Result<()> {
        at_least_one("period", self.period)
    }
}
