//! Every contestant over all courses.

use super::contestant::Contestant;
use super::standing::Standing;
use crate::statistics::mean;
use serde::Serialize;

/// One contestant over all courses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// Its name.
    pub name: String,
    /// Whether it was given a feasible setting to begin with.
    pub starts_safe: bool,
    /// Mean over the courses of $R^+$ over that of uniform random play.
    pub normal_regret: f64,
    /// The same of the violation.
    pub normal_violation: f64,
    /// On how many courses nobody has both less regret and less violation.
    pub frontier: usize,
    /// Share of all runs that came within 5 % of the optimum.
    pub solved: f64,
    /// Share of all runs that were still far off in the last third.
    pub locked: f64,
}

/// Averages `standings`, of each course those of each contestant, over the courses.
pub fn overall(contestants: &[Contestant], standings: &[Vec<Standing>]) -> Vec<Overall> {
    let one = |(i, contestant): (usize, &Contestant)| {
        let of = |value: fn(&Standing) -> f64| {
            mean(&standings.iter().map(|course| value(&course[i])).collect::<Vec<f64>>())
        };
        Overall {
            name: contestant.name.clone(),
            starts_safe: contestant.starts_safe(),
            normal_regret: of(|s| s.normal_regret.mean),
            normal_violation: of(|s| s.normal_violation.mean),
            frontier: standings.iter().filter(|course| course[i].frontier).count(),
            solved: of(|s| s.solved),
            locked: of(|s| s.locked),
        }
    };
    contestants.iter().enumerate().map(one).collect()
}
