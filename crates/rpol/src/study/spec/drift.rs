//! Whether the practical preset expects the system to change.

use super::Spec;
use crate::error::{Error, Result};
use crate::strategy::{Hallucinated, Strategy, Watchful};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the system may change while it is tuned; after a change the search starts again with what has been measured since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The schema has a Drift already: the sliding window's.
#[schemars(rename = "DriftWatch")]
#[non_exhaustive]
pub enum Drift {
    /// It may: a change is believed when nothing else explains what is measured.
    #[default]
    Auto,
    /// It does: a change is believed sooner, at the price of a fresh start for nothing now and then.
    On,
    /// It does not: everything measured counts for ever.
    Off,
}

/// Nats that make a change where changes are expected.
const EXPECTED: f64 = 6.0;

impl Drift {
    pub(in crate::study) fn strategy(self) -> Strategy {
        match self {
            Self::Auto => Strategy::Watchful(Watchful::default()),
            Self::On => Strategy::Watchful(Watchful { threshold: EXPECTED, ..Watchful::default() }),
            Self::Off => Strategy::Hallucinated(Hallucinated {}),
        }
    }

    /// Refuses a definition that says the same thing twice.
    pub(in crate::study) fn check(spec: &Spec) -> Result<()> {
        match spec.decided_by(spec.strategy.is_some(), "the strategy") {
            Some(what) if spec.drift.is_some() => {
                let problem =
                    format!("{what} decides already which data count: leave out one of the two");
                Err(Error::spec("drift", problem))
            }
            _ => Ok(()),
        }
    }
}
