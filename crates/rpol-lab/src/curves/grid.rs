//! A problem on a grid.

use crate::problem::{Constraint, Environment, Parameter, Problem};
use rpol::{Param, Result, Space};

/// The environment with every problem on a grid of `side` points along each coordinate, which the coordinates number from
/// 0. The optimum stays the continuous one.
///
/// ```
/// use rpol_lab::{curves::on_grid, problem::{Environment, NoiseReading}};
/// let fine = Environment::classical(NoiseReading::Variance);
/// let coarse = on_grid(fine.clone(), 49);
/// assert_eq!(coarse.problem_at(1).f(&[8.0, 24.0]), fine.problem_at(1).f(&[1.0, 3.0]));
/// ```
pub fn on_grid(mut environment: Environment, side: u64) -> Environment {
    for phase in &mut environment.phases {
        phase.problem = numbered(&phase.problem, side);
    }
    environment
}

fn numbered(problem: &Problem, side: u64) -> Problem {
    let last = (side - 1) as f64;
    let real = {
        let problem = problem.clone();
        move |k: &[f64]| problem.from_unit(&k.iter().map(|k| k / last).collect::<Vec<f64>>())
    };
    let (f, at) = (problem.objective.clone(), real.clone());
    let constraint = |c: &Constraint| {
        let (g, at) = (c.g.clone(), real.clone());
        Constraint::new(c.name.clone(), move |k| g(&at(k)))
    };
    Problem {
        domain: problem.domain.iter().map(|p| Parameter::new(p.name.clone(), 0.0, last)).collect(),
        objective: std::sync::Arc::new(move |k| f(&at(k))),
        constraints: problem.constraints.iter().map(constraint).collect(),
        ..problem.clone()
    }
}

/// The whole numbers of a numbered problem's domain.
pub(super) fn space(problem: &Problem) -> Result<Space> {
    let whole = |p: &Parameter| (p.name.clone(), Param::int(p.low as i64, p.high as i64));
    Space::new(problem.domain.iter().map(whole))
}
