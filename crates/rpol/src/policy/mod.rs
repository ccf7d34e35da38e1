//! Policies: how the band becomes a decision, and how multipliers move when a round closes.
//!
//! To add one: a file with a struct that implements `Rule`, its `mod` line, and its line in [`Policy`].

pub(crate) mod cautious;
mod constrained;
mod constrained_ei;
mod epoch_penalty;
mod fixed_penalty;
mod guarded;
#[cfg(test)]
mod guarded_laws;
mod primal_dual;
mod random;
mod rectified;
mod safe;
mod unconstrained;

pub use constrained::WhenInfeasible;

pub(crate) mod score;

use crate::confidence::Band;
use crate::error::{Error, Result};
use crate::registered::registered;
use schemars::JsonSchema;
use score::Score;
use serde::{Deserialize, Serialize};

registered! {
    /// How a decision is made.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Policy as rule -> Rule {
        /// RPOL.
        rectified::Rectified,
        /// A promised risk: guarded play, and RPOL's rule where nothing is known yet.
        guarded::Guarded,
        /// RPOL in practice, without a promise.
        cautious::Cautious,
        /// CKB.
        primal_dual::PrimalDual,
        /// CONFIG.
        constrained::Constrained,
        /// EPBO.
        fixed_penalty::FixedPenalty,
        /// Shi & Eryilmaz.
        epoch_penalty::EpochPenalty,
        /// SafeOpt and StageOpt.
        safe::Safe,
        /// Constrained expected improvement.
        constrained_ei::ConstrainedEi,
        /// GP-UCB and its kin.
        unconstrained::Unconstrained,
        /// Quasi-random search.
        random::Random,
    }
}

/// What is known when round `t` closes.
#[derive(Debug, Clone)]
pub(crate) struct Closing<'a> {
    pub(crate) t: u64,
    /// The round itself; $t$ may count from the last change on.
    pub(crate) round: u64,
    pub(crate) horizon: Option<u64>,
    /// Costs of each constraint revealed in this round, in the order they came, in standard units.
    pub(crate) revealed: &'a [Vec<f64>],
    /// $\check g_i(x_t)$ as estimated before observing, whatever chose the point, in standard units.
    pub(crate) lower: &'a [f64],
    /// How many trials are known since this round to have gone over a limit or failed.
    pub(crate) over: f64,
}

/// What a decision is made from.
#[derive(Debug, Clone)]
pub(crate) struct Situation<'a> {
    /// The multipliers $Q_t$.
    pub(crate) multipliers: &'a [f64],
    /// The band of the objective, then of each constraint.
    pub(crate) bands: &'a [Band],
    /// Value of the best feasible observation so far.
    pub(crate) best: Option<f64>,
    /// The caution of each constraint, where the policy has a dial.
    pub(crate) cautions: &'a [f64],
}

/// What every policy can do.
pub(crate) trait Rule {
    /// The multipliers before the first round.
    fn start(&self, constraints: usize) -> Vec<f64>;

    /// Moves the multipliers at the end of a round.
    fn close(&self, _multipliers: &mut [f64], _closing: &Closing<'_>) {}

    /// What is to be maximised.
    fn score(&self, situation: &Situation<'_>) -> Score;

    /// The first round whose data decision `t` may use.
    fn data_from(&self, _t: u64) -> u64 {
        0
    }

    /// Whether it looks at models at all.
    fn needs_models(&self) -> bool {
        true
    }

    /// Whether it is one of the practical preset's own, with everything learned from the data.
    fn is_practical(&self) -> bool {
        false
    }

    /// The promise that its trials keep, where it makes one.
    fn promise(&self) -> Option<&Guarded> {
        None
    }

    /// The safe set that it chooses from, where it keeps one.
    fn safe_set(&self) -> Option<&Safe> {
        None
    }

    /// How careful it is at the limits, from 0 to 1, where it has such a dial.
    fn caution(&self, _from_baseline: bool) -> Option<f64> {
        None
    }

    /// Whether a round in which no setting is believed feasible is an error.
    fn stops_when_infeasible(&self) -> bool {
        false
    }

    /// Whether it bounds the sum $f - \sum_j\kappa_jg_j$ at once and not each output by itself.
    fn bounds_the_sum(&self) -> bool {
        false
    }

    /// Refuses constants outside their range.
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::Rectified(Rectified {})
    }
}

fn positive(field: &str, value: f64) -> Result<()> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let problem = format!("{value} is not usable: give a finite number above 0");
    Err(Error::spec(format!("policy.{field}"), problem))
}
