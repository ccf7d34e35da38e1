//! Delayed feedback, censored.

use super::{Learning, Memory, Sight, Target, Timing, at_least_one};
use crate::confidence::PerOutput;
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// RPOL-CensoredUCB (the paper, section 5, after Verma, Dai & Low 2022): every queried point is in the
/// model, with the value 0 until it arrives within $m$ rounds. The width grows to
///
/// $$v_t = \beta_t + B_r \sum_{s=\max(1,t-m)}^{t-1} \sigma_t(x_s).$$
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Censored {
    /// $m$: later values count as 0 for ever. Twice the mean delay is a good choice.
    pub within: u64,
    /// Which points the sum runs over.
    #[serde(default)]
    pub slack: Slack,
    /// $B_r$ with the paper's $\sqrt{2\ln T}$ instead of $\sqrt{4\ln T}$.
    #[serde(default)]
    pub printed_bound: bool,
    /// $B_r$ itself, where the width has no $B$ and $R$ to make it from; without both it is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<PerOutput>,
}

impl Default for Censored {
    fn default() -> Self {
        Self { within: 30, slack: Slack::default(), printed_bound: false, bound: None }
    }
}

/// Which points widen the band.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Slack {
    /// All of the last $m$ rounds, as printed.
    #[default]
    All,
    /// Only those still unseen: the proof's correction is zero for the others.
    Pending,
    /// None: the plain width.
    None,
}

impl Censored {
    /// Round $s$ is seen at decision $t$ iff its delay is at most $\min(m, t - 1 - s)$.
    fn seen(&self, t: u64, value: Timing) -> bool {
        value.arrived.is_some_and(|arrived| {
            let delay = arrived.saturating_sub(value.asked);
            arrived < t && delay <= self.within
        })
    }
}

impl Learning for Censored {
    fn sees(&self, _: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let target = if self.seen(t, value) { Target::Value } else { Target::Zero };
        value.known(t).then_some(Sight { target, stretch: 1.0 })
    }

    fn widens(&self, t: u64, value: Timing) -> bool {
        let recent = value.asked < t && value.asked + self.within >= t;
        match self.slack {
            Slack::All => recent,
            Slack::Pending => recent && !self.seen(t, value),
            Slack::None => false,
        }
    }

    fn slack(&self, metric: &str, constants: Option<(f64, f64)>, rounds: u64) -> Result<f64> {
        if let Some(bound) = &self.bound {
            return bound.of("strategy.bound", metric);
        }
        let log = (rounds.max(2) as f64).ln();
        let factor = if self.printed_bound { 2.0 } else { 4.0 };
        Ok(constants.map_or(0.0, |(bound, noise)| bound + noise * (factor * log).sqrt()))
    }

    fn validate(&self) -> Result<()> {
        at_least_one("within", self.within)
    }
}
