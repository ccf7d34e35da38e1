//! How large the outputs of a problem are, and what random play loses.

use crate::problem::Problem;
use crate::statistics::mean;
use rpol::sobol::Sobol;
use serde::Serialize;

/// Points of the domain that are looked at.
const POINTS: usize = 1024;

/// Sizes of a problem over its domain, by 1,024 Sobol points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Yardstick {
    /// Mean of $f$.
    pub mean: f64,
    /// Standard deviation of $f$, then of each $g_i$.
    pub deviations: Vec<f64>,
    /// Mean of $\max(f^\star - f, 0)$: what uniform random play loses a round.
    pub random_regret: f64,
    /// Mean of $\sum_i \max(g_i, 0)$: by how much it violates.
    pub random_violation: f64,
    /// Share of the domain that is feasible.
    pub feasible: f64,
}

impl Yardstick {
    /// Looks over the domain of a problem.
    pub fn of(problem: &Problem) -> Self {
        let points: Vec<Vec<f64>> = spread_points(problem).take(POINTS).collect();
        let of = |value: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
            points.iter().map(|x| value(x)).collect()
        };
        let f = of(&|x| problem.f(x));
        let constraints = problem.constraints.iter().map(|c| deviation(&of(&*c.g)));
        Self {
            mean: mean(&f),
            random_regret: mean(&of(&|x| problem.regret(x).max(0.0))),
            random_violation: mean(&of(&|x| problem.violation(x))),
            feasible: mean(&of(&|x| f64::from(u8::from(problem.is_feasible(x))))),
            deviations: std::iter::once(deviation(&f)).chain(constraints).collect(),
        }
    }
}

/// Sobol points of the domain, always the same.
pub(super) fn spread_points(problem: &Problem) -> impl Iterator<Item = Vec<f64>> {
    let dims = problem.dims();
    let mut sobol = Sobol::new(dims).expect("no problem has more dimensions than the table");
    std::iter::repeat_with(move || {
        let mut unit = vec![0.0; dims];
        sobol.next_into(&mut unit);
        problem.from_unit(&unit)
    })
}

fn deviation(values: &[f64]) -> f64 {
    let centre = mean(values);
    mean(&values.iter().map(|v| (v - centre).powi(2)).collect::<Vec<f64>>()).sqrt()
}
