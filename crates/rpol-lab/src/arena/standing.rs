//! From the scores of the seeds to what is reported.

use super::frontier::{counted, frontier};
use super::score::Score;
use crate::paper::{Estimate, Spread};
use serde::Serialize;

/// One contestant on one course, over its seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// $R^+(T)/T$.
    pub regret_plus: Estimate,
    /// $\sum_i V_i(T)/T$.
    pub violation: Estimate,
    /// $R^+(T)$ over that of uniform random play.
    pub normal_regret: Estimate,
    /// The same of the violation.
    pub normal_violation: Estimate,
    /// Share of the rounds that break a constraint.
    pub violating: Estimate,
    /// The same after round 100.
    pub violating_late: Option<Estimate>,
    /// Violation a round in rounds 51 to 100.
    pub violation_middle: Option<Estimate>,
    /// Of the seeds that played a feasible setting.
    pub simple_regret: Option<Estimate>,
    /// Share of the seeds that came within 5 % of the optimum.
    pub solved: f64,
    /// Median of the rounds that took; `None` where half of the seeds never did.
    pub solved_round: Option<usize>,
    /// Share of the seeds that were still far off in the last third.
    pub locked: f64,
    /// Mean of an ask.
    pub ask_ms: Estimate,
    /// The longest ask of all.
    pub ask_ms_max: f64,
    /// Whether nobody on this course has both less regret and less violation, in thousandths of what random play loses.
    pub frontier: bool,
    /// Of every seed.
    pub scores: Vec<Score>,
}

impl Standing {
    /// Averages over the seeds; who is on the frontier is not known yet.
    fn of(scores: Vec<Score>) -> Self {
        let estimate = |of: &dyn Fn(&Score) -> Option<f64>| estimate(scores.iter().filter_map(of));
        let every = |of: fn(&Score) -> f64| {
            let mut spread = Spread::default();
            scores.iter().for_each(|score| spread.add(of(score)));
            spread.estimate()
        };
        let share = |of: fn(&Score) -> bool| {
            scores.iter().filter(|score| of(score)).count() as f64 / scores.len() as f64
        };
        Self {
            regret_plus: every(|s| s.regret_plus),
            violation: every(|s| s.violation),
            normal_regret: every(|s| s.normal_regret),
            normal_violation: every(|s| s.normal_violation),
            violating: every(|s| s.violating),
            violating_late: estimate(&|s| s.violating_late),
            violation_middle: estimate(&|s| s.violation_middle),
            simple_regret: estimate(&|s| s.simple_regret),
            solved: share(|s| s.solved.is_some()),
            solved_round: median(&scores),
            locked: share(|s| s.locked),
            ask_ms: every(|s| s.ask_ms),
            ask_ms_max: scores.iter().map(|s| s.ask_ms_max).fold(0.0, f64::max),
            frontier: false,
            scores,
        }
    }
}

/// The standings of one course, from the scores of every contestant.
pub fn standings(scores: Vec<Vec<Score>>) -> Vec<Standing> {
    let mut standings: Vec<Standing> = scores.into_iter().map(Standing::of).collect();
    let losses = |s: &Standing| counted([s.normal_regret.mean, s.normal_violation.mean]);
    let on_it = frontier(&standings.iter().map(losses).collect::<Vec<_>>());
    standings.iter_mut().zip(on_it).for_each(|(standing, on_it)| standing.frontier = on_it);
    standings
}

fn estimate(values: impl Iterator<Item = f64>) -> Option<Estimate> {
    let mut spread: Option<Spread> = None;
    values.for_each(|value| spread.get_or_insert_default().add(value));
    spread.map(|spread| spread.estimate())
}

/// The lower median, a seed that never solved it being later than any other.
fn median(scores: &[Score]) -> Option<usize> {
    let mut rounds: Vec<usize> = scores.iter().map(|s| s.solved.unwrap_or(usize::MAX)).collect();
    rounds.sort_unstable();
    rounds.get((rounds.len() - 1) / 2).copied().filter(|round| *round < usize::MAX)
}
