//! What a run kept of what was promised of it: its budgets, and its limits but for noise.

use super::run::{Round, Run};
use super::score::Score;
use super::system::System;
use super::yardstick::Yardstick;
use anyhow::Result;
use rpol::Constraint;
use rpol::study::Spec;
use serde::Serialize;

/// A measurement within so many deviations of its own noise may be over a limit by chance.
const DEVIATIONS: f64 = 3.0;

/// One run, held against budgets and noise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Keeping {
    /// The budget of each limit; `None` where random play never breaks it.
    pub budgets: Vec<Option<f64>>,
    /// The sum of what each limit was broken by as measured. What failed was not measured.
    pub spent: Vec<f64>,
    /// The most that one trial broke each limit by.
    pub dearest: Vec<f64>,
    /// Trials over a limit as measured, or failed.
    pub over: usize,
    /// Those of them whose setting is over a limit by its true mean, or fails.
    pub truly_over: usize,
    /// Those of them that are over some limit by more than three deviations of a measurement of their setting, or failed.
    pub beyond_noise: usize,
    /// Trials that failed.
    pub failures: usize,
    /// How far the recommended setting comes from the baseline to the best known.
    pub gain: f64,
}

impl Keeping {
    /// Holds a run of `spec` against what is true of its settings.
    pub fn of(system: &System, yardstick: &Yardstick, spec: &Spec, run: &Run) -> Self {
        let limits = system.limits().len();
        let (mut spent, mut dearest) = (vec![0.0; limits], vec![0.0_f64; limits]);
        for round in &run.rounds {
            for (i, g) in round.excesses.iter().enumerate() {
                spent[i] += g.max(0.0);
                dearest[i] = dearest[i].max(*g);
            }
        }
        let over: Vec<&Round> = run.rounds.iter().filter(|round| round.is_over()).collect();
        let verdicts: Vec<Verdict> =
            over.iter().map(|round| Verdict::of(system, round, run.rounds.len())).collect();
        Self {
            budgets: spec.constraints.iter().map(Constraint::budget).collect(),
            spent,
            dearest,
            over: over.len(),
            truly_over: verdicts.iter().filter(|verdict| verdict.truly_over).count(),
            beyond_noise: verdicts.iter().filter(|verdict| verdict.beyond_noise).count(),
            failures: over.iter().filter(|round| round.failed.is_some()).count(),
            gain: Score::of(system, yardstick, run).gain,
        }
    }

    /// Of each limit that has a budget, whether no more was spent.
    pub fn within(&self) -> Vec<bool> {
        let pairs = self.budgets.iter().zip(&self.spent);
        pairs.filter_map(|(budget, spent)| budget.map(|budget| *spent <= budget)).collect()
    }
}

/// What is true of a trial that went over a limit.
struct Verdict {
    truly_over: bool,
    beyond_noise: bool,
}

impl Verdict {
    fn of(system: &System, round: &Round, rounds: usize) -> Self {
        let phase = system.phase_at(round.round, rounds);
        let truth = system.truth(&round.params, phase);
        let noise = system.noise(&round.params, phase);
        let mut limits = round.excesses.iter().zip(&noise);
        Self {
            truly_over: !truth.feasible,
            beyond_noise: round.failed.is_some() || limits.any(|(g, s)| *g > DEVIATIONS * s),
        }
    }
}

/// Gives each limit a budget: this share of what random play of so many trials breaks it by. A limit that random play never
/// breaks gets none.
///
/// ```
/// use rpol_lab::live::{System, Yardstick, with_budgets};
/// let queue = System::named("queue")?;
/// let random = Yardstick::of(&queue);
/// let spec = with_budgets(queue.spec.clone(), &random, 0.05, 60)?;
/// assert_eq!(spec.constraints[0].budget(), Some(0.05 * 60.0 * random.violation[0]));
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// Where the share is no share.
pub fn with_budgets(
    mut spec: Spec,
    yardstick: &Yardstick,
    share: f64,
    rounds: usize,
) -> Result<Spec> {
    for (limit, random) in spec.constraints.iter_mut().zip(&yardstick.violation) {
        if *random > 0.0 {
            *limit = limit.clone().with_budget(share * rounds as f64 * random)?;
        }
    }
    Ok(spec)
}
