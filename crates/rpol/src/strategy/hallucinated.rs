//! Pending points narrow the band but tell nothing.

use super::{Learning, Memory, Sight, Target, Timing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// GP-BUCB (Desautels, Krause & Burdick 2014): the mean from what has arrived, the deviation from
/// every queried point, as if pending values had come in at their mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hallucinated {}

impl Learning for Hallucinated {
    fn sees(&self, _: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let target =
            if value.arrived.is_some_and(|a| a < t) { Target::Value } else { Target::Nothing };
        value.known(t).then_some(Sight { target, stretch: 1.0 })
    }

    fn accumulates(&self) -> bool {
        true
    }
}
