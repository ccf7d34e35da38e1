//! All data.

use super::{Learning, Memory, Sight, Timing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// GP-UCB/LCB: the model sees all that has arrived (the paper, section 4).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ucb {}

impl Learning for Ucb {
    fn sees(&self, _: &Memory, t: u64, value: Timing) -> Option<Sight> {
        value.arrived.filter(|arrived| *arrived < t).map(|_| Sight::VALUE)
    }

    fn accumulates(&self) -> bool {
        true
    }
}
