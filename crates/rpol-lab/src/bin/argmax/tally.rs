//! What the checks add up to.

use crate::reference;
use anyhow::Result;
use rpol::study::{By, Study};
use std::fmt;

const CLOSE: f64 = 1e-6;
const FAR: f64 = 1e-2;
/// Share of the rounds that must be close.
const SHARE: f64 = 0.995;

/// One decision beside the reference.
pub(crate) struct Check {
    seed: u64,
    round: usize,
    by: By,
    reached: f64,
    best: f64,
    x: Vec<f64>,
    best_x: Vec<f64>,
}

impl Check {
    /// `None` for a round the model did not decide.
    pub(crate) fn of(seed: u64, round: usize, study: &Study, grid: usize) -> Result<Option<Self>> {
        let (Some(land), Some(trial)) = (study.landscape()?, study.trials().last()) else {
            return Ok(None);
        };
        let Some(decision) = &trial.decision else { return Ok(None) };
        if !matches!(decision.by, By::Exhaustive | By::Polished | By::Pool) || decision.infeasible {
            return Ok(None);
        }
        let x = study.spec().params.encode(&trial.params)?;
        let reached = decision.score.unwrap_or(f64::NEG_INFINITY);
        let (best_x, best) = reference::best(&land, &x, grid)?;
        Ok(Some(Self { seed, round, by: decision.by, reached, best, x, best_x }))
    }

    fn short(&self) -> f64 {
        (self.best - self.reached) / (1.0 + self.best.abs())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, round, by, reached, best, x, best_x } = self;
        write!(
            f,
            "seed {seed} round {round}: {:.1e} short, {by:?} {reached:.9} at {x:.5?}, best {best:.9} at {best_x:.5?}",
            self.short()
        )
    }
}

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) checks: Vec<Check>,
    /// How many trials there were, and how long the ask took.
    pub(crate) ask_ms: Vec<(usize, f64)>,
}

impl Tally {
    pub(crate) const HEADER: &'static str = "case                         checked  within 1e-6    \
        worst  polished  pool  exhaustive  ask ms at 100, 500";

    pub(crate) fn add(&mut self, other: Self) {
        self.checks.extend(other.checks);
        self.ask_ms.extend(other.ask_ms);
    }

    pub(crate) fn misses(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.short() > CLOSE)
    }

    fn share(&self) -> f64 {
        1.0 - self.misses().count() as f64 / self.checks.len().max(1) as f64
    }

    fn worst(&self) -> f64 {
        self.checks.iter().map(Check::short).fold(0.0, f64::max)
    }

    pub(crate) fn meets_target(&self) -> bool {
        self.share() >= SHARE && self.worst() <= FAR
    }

    pub(crate) fn line(&self, name: &str) -> String {
        let by = |how: By| self.checks.iter().filter(|check| check.by == how).count();
        format!(
            "{name:<28} {:>7}    {:>7.2} %  {:>8.1e}  {:>8}  {:>4}  {:>10}  {:>8.2} {:>8.2}  {}",
            self.checks.len(),
            100.0 * self.share(),
            self.worst(),
            by(By::Polished),
            by(By::Pool),
            by(By::Exhaustive),
            self.ask_near(100),
            self.ask_near(500),
            if self.meets_target() { "met" } else { "MISSED" }
        )
    }

    /// Median milliseconds of the asks within a tenth of `n` trials.
    fn ask_near(&self, n: usize) -> f64 {
        let near = |(trials, _): &&(usize, f64)| trials.abs_diff(n) <= n / 10;
        let mut times: Vec<f64> = self.ask_ms.iter().filter(near).map(|(_, ms)| *ms).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
