//! Local optimisation within bounds; the only room that names its library.

pub(crate) mod newton;

pub(crate) use newton::{Local, Twice};

use basin::{
    BoxBounds, ConstraintDescription, ConstraintSet, Constraints, CostFunction, Executor,
    FirstOrderState, Gradient, Lbfgsb, Termination,
};
use std::convert::Infallible;

/// Where a local search ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Minimum {
    pub(crate) x: Vec<f64>,
    pub(crate) value: f64,
    /// Whether the projected gradient or the decrease became negligible before the rounds ran out.
    pub(crate) converged: bool,
}

/// How long a local search goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) iterations: u64,
    /// On the projected gradient's largest entry.
    pub(crate) tolerance: f64,
    /// A step that lowers the value by no more than this is the last.
    pub(crate) decrease: f64,
}

/// L-BFGS-B (Byrd, Lu, Nocedal, Zhu 1995) from `start` within `[low, high]`. `function(x, gradient)`
/// returns the value; a value that is not finite is a wall. Never worse than the start.
pub(crate) fn minimize(
    function: impl Fn(&[f64], &mut [f64]) -> f64,
    start: &[f64],
    low: &[f64],
    high: &[f64],
    effort: Effort,
) -> Minimum {
    let start: Vec<f64> = (0..start.len()).map(|i| start[i].clamp(low[i], high[i])).collect();
    let problem = Problem { function, low: low.to_vec(), high: high.to_vec() };
    let value = problem.value(&start).0;
    let decrease = (effort.decrease / value.abs().max(1.0)).max(10.0 * f64::EPSILON);
    let solver = Lbfgsb::new()
        .with_absolute_projected_gradient_tolerance(effort.tolerance)
        .with_relative_cost_reduction_tolerance(decrease);
    let run = Executor::new(&problem, solver, FirstOrderState::new(start.clone()))
        .max_iter(effort.iterations)
        .run();
    match run {
        Ok(result) if result.best_cost() <= value => Minimum {
            x: result.best_param().clone(),
            value: result.best_cost(),
            converged: matches!(result.report.termination, Termination::Converged(_)),
        },
        _ => Minimum { x: start, value, converged: false },
    }
}

struct Problem<F> {
    function: F,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Stands for "not finite": large enough never to be accepted, small enough to stay finite in a sum.
const WALL: f64 = 1e100;

impl<F: Fn(&[f64], &mut [f64]) -> f64> Problem<F> {
    fn value(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let mut gradient = vec![0.0; x.len()];
        let value = (self.function)(x, &mut gradient);
        if value.is_finite() && gradient.iter().all(|g| g.is_finite()) {
            (value, gradient)
        } else {
            (WALL, vec![0.0; x.len()])
        }
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> CostFunction for &Problem<F> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = Infallible;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Infallible> {
        Ok(self.value(x).0)
    }
}

impl<F: Fn(&[f64], &mut [f64]) -> f64> Gradient for &Problem<F> {
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Infallible> {
        Ok(self.value(x).1)
    }

    fn cost_and_gradient(&self, x: &Vec<f64>) -> Result<(f64, Vec<f64>), Infallible> {
        Ok(self.value(x))
    }

    fn cost_and_gradient_into(&self, x: &Vec<f64>, out: &mut Vec<f64>) -> Result<f64, Infallible> {
        let (value, gradient) = self.value(x);
        *out = gradient;
        Ok(value)
    }
}

impl<F> Constraints for &Problem<F> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;

    fn constraints(&self) -> <Self::Set as ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.low), Some(&self.high)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { iterations: 200, tolerance: 1e-9, decrease: 0.0 };

    fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        gradient.copy_from_slice(&[-2.0 * a - 400.0 * x[0] * b, 200.0 * b]);
        a * a + 100.0 * b * b
    }

    #[test]
    fn finds_the_valley_and_respects_bounds() {
        let free = minimize(rosenbrock, &[-1.2, 1.0], &[-5.0; 2], &[5.0; 2], EFFORT);
        assert!(free.converged && (free.x[0] - 1.0).abs() < 1e-6 && (free.x[1] - 1.0).abs() < 1e-6);
        let bound = minimize(rosenbrock, &[-1.2, 1.0], &[-5.0; 2], &[0.5, 5.0], EFFORT);
        assert!((bound.x[0] - 0.5).abs() < 1e-12 && (bound.x[1] - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_wall_of_nan_is_never_the_answer() {
        let cliff = |x: &[f64], gradient: &mut [f64]| {
            gradient[0] = 1.0;
            if x[0] < 0.3 { f64::NAN } else { x[0] }
        };
        let found = minimize(cliff, &[0.9], &[0.0], &[1.0], EFFORT);
        assert!(found.value.is_finite() && found.value <= 0.9 && found.x[0] >= 0.3);
    }
}
