//! Strategies, the paper's $\mathcal M$: what the model sees, and what its band adds for that.
//!
//! To add one: a file with a struct that implements `Learning`, its `mod` line, and its line in
//! [`Strategy`].

mod censored;
mod discounted;
mod event_triggered;
mod hallucinated;
mod master;
mod restart;
mod sliding_window;
mod ucb;
mod watchful;

pub use censored::Slack;
pub use sliding_window::Drift;

pub(crate) use event_triggered::Residual;
pub(crate) use master::{Outcome, Schedule};
pub(crate) use watchful::{DIRECTIONS, Scores, Slide};

use crate::error::{Error, Result};
use crate::registered::registered;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

registered! {
    /// Which data the model sees.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Strategy as learning -> Learning {
        /// All that has arrived.
        ucb::Ucb,
        /// Every queried point, its value 0 until it arrives within a number of rounds.
        censored::Censored,
        /// The mean from what has arrived, the deviation from every queried point.
        hallucinated::Hallucinated,
        /// The last $W$ rounds.
        sliding_window::SlidingWindow,
        /// The rounds since the last multiple of $H$.
        restart::Restart,
        /// Everything, older values with more noise.
        discounted::Discounted,
        /// The rounds since the last detected change.
        event_triggered::EventTriggered,
        /// Instances of another strategy on many time scales, restarted when a test fires.
        master::Master,
        /// As hallucinated, on the rounds since the system was seen to change.
        watchful::Watchful,
    }
}

/// How one value enters the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sight {
    pub(crate) target: Target,
    /// Its noise variance, as a multiple of the model's.
    pub(crate) stretch: f64,
}

/// What stands in the model for a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    /// The value itself.
    Value,
    /// Zero: the value is still unseen.
    Zero,
    /// Nothing: the point narrows the deviation and leaves the mean alone.
    Nothing,
}

impl Sight {
    pub(crate) const VALUE: Self = Self { target: Target::Value, stretch: 1.0 };
}

/// When a value was asked for and when it came, in rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timing {
    /// The round $s$ of its decision.
    pub(crate) asked: u64,
    /// The round in which it was revealed.
    pub(crate) arrived: Option<u64>,
}

impl Timing {
    /// Whether decision `t` knows of it: asked before, or history, which may be there before the first round.
    pub(crate) fn known(self, t: u64) -> bool {
        self.asked < t || self.arrived.is_some_and(|arrived| arrived < t)
    }
}

/// What a strategy remembers beside the data: part of the fold over the log.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// The first round that counts, after a detected change.
    pub(crate) since: u64,
    /// The schedule of [`Master`]. Studies with one have no snapshots.
    #[serde(skip)]
    pub(crate) schedule: Option<Schedule>,
}

/// What every strategy can do. The decision of round $t$ uses what was revealed in rounds before it.
pub(crate) trait Learning {
    /// How decision `t` sees a value; `None` when it does not.
    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight>;

    /// The first round whose values decision `t` can see; later decisions see none before it either.
    fn first(&self, _memory: &Memory, _t: u64) -> u64 {
        0
    }

    /// Whether a value that has been seen is seen the same way for ever, unless a change drops all before it.
    fn accumulates(&self) -> bool {
        false
    }

    /// Whether the deviation at this point widens the band of decision `t`.
    fn widens(&self, _t: u64, _value: Timing) -> bool {
        false
    }

    /// The factor of that sum for the output of `metric`, given its $B$ and $R$ and the rounds $T$.
    fn slack(&self, _metric: &str, _constants: Option<(f64, f64)>, _rounds: u64) -> Result<f64> {
        Ok(0.0)
    }

    /// What the band gains on either side whatever the point, given $\lambda$ and $\gamma_T$.
    fn offset(&self, _t: u64, _lambda: f64, _gain: f64) -> f64 {
        0.0
    }

    /// The test of each round's residuals, for a strategy that restarts when it fires.
    fn residual_test(&self) -> Option<&EventTriggered> {
        None
    }

    /// The test of forecasts by repeats, for a strategy that starts afresh when it is certain of a change.
    fn repeat_test(&self) -> Option<&Watchful> {
        None
    }

    /// The schedule it keeps beside the data, before the first round.
    fn schedule(&self, _seed: u64) -> Option<Schedule> {
        None
    }

    /// Brings that schedule to the end of a round; `outcomes` are those of all rounds so far.
    fn close(&self, _schedule: &mut Schedule, _round: u64, _outcomes: &[Outcome]) {}

    /// Refuses constants outside their range.
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Self::Ucb(Ucb {})
    }
}

fn at_least_one(field: &str, value: u64) -> Result<()> {
    if value > 0 {
        return Ok(());
    }
    Err(Error::spec(format!("strategy.{field}"), "0 is not usable: give at least 1 round"))
}
