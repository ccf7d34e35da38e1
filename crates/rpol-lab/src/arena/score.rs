//! What a run is judged by, all of it on the true functions.

use super::course::Course;
use crate::experiment::{Round, Totals};
use crate::statistics::mean;
use serde::Serialize;

/// Solved is what is feasible and within this share of the way from the mean of $f$ over the domain to $f^\star$.
const CLOSE: f64 = 0.05;
/// Locked is who loses more than this many deviations of $f$ over the domain a round, in the last third.
const LOCKED: f64 = 0.5;
/// The rounds that are looked at apart: learning is over, and so is what it had to cost.
const MIDDLE: std::ops::RangeInclusive<usize> = 51..=100;

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// $R^+(T)/T$.
    pub regret_plus: f64,
    /// $\sum_i V_i(T)/T$.
    pub violation: f64,
    /// $R^+(T)$ over that of uniform random play: 1 is no better than that.
    pub normal_regret: f64,
    /// The same of $\sum_i V_i(T)$.
    pub normal_violation: f64,
    /// Share of the rounds that break a constraint.
    pub violating: f64,
    /// The same after round 100; `None` where there are not so many.
    pub violating_late: Option<f64>,
    /// Violation a round in rounds 51 to 100; `None` where there are not so many.
    pub violation_middle: Option<f64>,
    /// $f^\star - f$ at the best feasible setting played in the last phase; `None` where none was feasible.
    pub simple_regret: Option<f64>,
    /// The round, counted from the beginning of the last phase, that was first feasible and within 5 % of the optimum.
    pub solved: Option<usize>,
    /// Whether the last third still lost more than half a deviation of $f$ a round.
    pub locked: bool,
    /// Mean time of an ask, in milliseconds.
    pub ask_ms: f64,
    /// The longest.
    pub ask_ms_max: f64,
}

impl Score {
    /// Judges the rounds of a run.
    pub fn of(course: &Course, rounds: &[Round], ask_ms: &[f64]) -> Self {
        let totals = Totals::of(rounds);
        let count = rounds.len() as f64;
        let regret_plus = totals.positive_regret / count;
        let violation = totals.violation.iter().sum::<f64>() / count;
        let last = &rounds[course.last_phase() - 1..];
        Self {
            regret_plus,
            violation,
            normal_regret: regret_plus / course.mean_over_rounds(|y| y.random_regret),
            normal_violation: violation / course.mean_over_rounds(|y| y.random_violation),
            violating: totals.violating as f64 / count,
            violating_late: share_violating(rounds.get(*MIDDLE.end()..)),
            violation_middle: rounds.get(MIDDLE.start() - 1..*MIDDLE.end()).map(violation_of),
            simple_regret: last.iter().filter(|r| !r.violates()).map(|r| r.regret).reduce(f64::min),
            solved: last.iter().position(|round| is_solved(course, round)).map(|i| i + 1),
            locked: is_locked(course, rounds),
            ask_ms: mean(ask_ms),
            ask_ms_max: ask_ms.iter().copied().fold(0.0, f64::max),
        }
    }
}

fn share_violating(rounds: Option<&[Round]>) -> Option<f64> {
    let rounds = rounds.filter(|rounds| !rounds.is_empty())?;
    Some(rounds.iter().filter(|round| round.violates()).count() as f64 / rounds.len() as f64)
}

fn violation_of(rounds: &[Round]) -> f64 {
    Totals::of(rounds).violation.iter().sum::<f64>() / rounds.len() as f64
}

fn is_solved(course: &Course, round: &Round) -> bool {
    let best = course.environment.problem_at(round.round).optimum.value;
    let way = (best - course.yardstick_at(round.round).mean).abs();
    !round.violates() && round.regret <= CLOSE * way
}

fn is_locked(course: &Course, rounds: &[Round]) -> bool {
    let third = &rounds[rounds.len() - rounds.len().div_ceil(3)..];
    let lost = Totals::of(third).positive_regret / third.len() as f64;
    lost > LOCKED * course.yardstick_at(course.environment.horizon).deviations[0]
}
