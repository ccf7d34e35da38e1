//! A simulated live system.

use super::chance::Chance;
use super::setting::Setting;
use anyhow::{Context, Result};
use rpol::study::Spec;
use rpol::{Constraint, Params};

/// What came of trying a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The objective's metric and then those of the limits, in the order of the definition.
    Measured(Vec<f64>),
    /// It gave no result: why.
    Failed(String),
}

/// One measurement of a setting in a phase.
pub(super) type Measure = fn(Setting<'_>, usize, &mut Chance) -> Outcome;

/// A system as its file has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blueprint {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What a user would write: objective, limits, parameters, baseline.
    pub(super) definition: &'static str,
    pub(super) measure: Measure,
    /// Of each phase, the best setting that a search found, and its mean objective; the phases share the horizon evenly.
    pub(super) best: &'static [(&'static str, f64)],
}

/// The best setting that is known in a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The setting.
    pub params: Params,
    /// Its true mean objective.
    pub objective: f64,
}

/// A simulated live system: what a user writes about it, and what it answers when a setting is tried.
///
/// ```
/// use rpol_lab::live::{Outcome, System};
/// let queue = System::named("queue")?;
/// assert_eq!(queue.spec.constraints[0].to_string(), "p99_ms <= 60");
/// let Outcome::Measured(metrics) = queue.measure(&queue.baseline, 0, 7, 1)? else { panic!("it does not fail") };
/// assert_eq!(metrics.len(), queue.spec.metrics().len());
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct System {
    /// As on the command line.
    pub name: &'static str,
    /// In a line.
    pub about: &'static str,
    /// Objective, limits, parameters and baseline, without a horizon or a seed.
    pub spec: Spec,
    /// What runs today.
    pub baseline: Params,
    /// The best known setting of every phase.
    pub best: Vec<Best>,
    measure: Measure,
}

impl System {
    /// Reads what its file has.
    pub(super) fn new(blueprint: &Blueprint) -> Result<Self> {
        let wrong = || format!("the definition of {}", blueprint.name);
        let spec =
            Spec::from_file_text(blueprint.definition, blueprint.name).with_context(wrong)?;
        let baseline = spec.baseline.as_ref().with_context(wrong)?;
        let baseline = spec.params.canonical(&baseline.params).with_context(wrong)?;
        let best = |(text, objective): &(&str, f64)| -> Result<Best> {
            let params = spec.params.canonical(&serde_json::from_str(text)?).with_context(wrong)?;
            Ok(Best { params, objective: *objective })
        };
        let best = blueprint.best.iter().map(best).collect::<Result<_>>()?;
        let Blueprint { name, about, measure, .. } = *blueprint;
        Ok(Self { name, about, spec, baseline, best, measure })
    }

    /// Tries a setting in a phase; the seed and the number of the trial decide the chance in it.
    ///
    /// # Errors
    /// Where the setting is not of this system.
    pub fn measure(&self, params: &Params, phase: usize, seed: u64, trial: u64) -> Result<Outcome> {
        let params = self.spec.params.canonical(params)?;
        Ok(self.measure_checked(&params, phase, &mut Chance::new(seed, trial)))
    }

    /// The same of a setting that is known to be one of this system.
    pub(super) fn measure_checked(
        &self,
        params: &Params,
        phase: usize,
        chance: &mut Chance,
    ) -> Outcome {
        (self.measure)(Setting(params), phase, chance)
    }

    /// How many phases there are; each lasts for the same part of the horizon.
    pub fn phases(&self) -> usize {
        self.best.len().max(1)
    }

    /// The phase of a round, counted from 1.
    pub fn phase_at(&self, round: usize, horizon: usize) -> usize {
        let phases = self.phases();
        ((round.max(1) - 1) * phases / horizon.max(1)).min(phases - 1)
    }

    /// The limits.
    pub fn limits(&self) -> &[Constraint] {
        &self.spec.constraints
    }

    /// By how much metrics are over each limit, in its own unit: at most 0 where it is kept.
    pub fn excesses(&self, metrics: &[f64]) -> Vec<f64> {
        let names = self.spec.metrics();
        let of = |limit: &Constraint| {
            let value = names.iter().position(|name| *name == limit.metric());
            value.and_then(|i| limit.g(metrics[i], None)).unwrap_or(f64::MAX)
        };
        self.limits().iter().map(of).collect()
    }
}
