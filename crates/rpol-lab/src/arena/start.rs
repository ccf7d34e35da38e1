//! A setting known to be safe, for those who need one.

use super::yardstick::spread_points;
use crate::problem::Problem;
use std::f64::consts::PI;

/// Points looked at before giving up.
const MOST: usize = 1 << 17;
/// Feasible points that are enough to choose from.
const ENOUGH: usize = 32;

/// A feasible setting that is not the optimum: of the first Sobol points that are feasible the one of median $f$; on the paper's phase 1 the
/// centre of the island that holds the optimum. `None` where the feasible set is too small to be hit.
pub fn safe_start(problem: &Problem) -> Option<Vec<f64>> {
    if problem.name == "paper_phase1" {
        // At (3 pi/2, pi/2) of the square whose side is 6, whatever its units.
        return Some(problem.from_unit(&[PI / 4.0, PI / 12.0]));
    }
    let feasible = spread_points(problem).take(MOST).filter(|x| problem.is_feasible(x));
    let mut found: Vec<Vec<f64>> = feasible.take(ENOUGH).collect();
    found.sort_by(|a, b| problem.f(a).total_cmp(&problem.f(b)));
    let middle = found.len() / 2;
    found.into_iter().nth(middle)
}
