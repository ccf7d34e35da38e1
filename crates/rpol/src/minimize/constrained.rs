//! Smooth objective, smooth constraints, bounds.

use super::{Effort, WALL};
use basin::{
    BoxBounds, Constrained, ConstraintJacobian, ConstraintSet, ConstraintSolveError, CostFunction,
    DenseMatrix, Executor, Gradient, NonlinearInequalityValues, Slsqp,
};
use std::cell::RefCell;
use std::convert::Infallible;

/// Value and gradient of the objective and of every constraint $c_i(x) \le 0$ at a point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Smooth {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    pub(crate) constraints: Vec<f64>,
    /// One gradient a constraint.
    pub(crate) jacobian: Vec<Vec<f64>>,
}

/// SLSQP (Kraft 1988) from `start` within `[low, high]` under `count` constraints. Returns where it
/// ended; the caller decides whether that is better than the start.
pub(crate) fn minimize_constrained(
    function: impl Fn(&[f64]) -> Smooth,
    count: usize,
    start: &[f64],
    low: &[f64],
    high: &[f64],
    effort: Effort,
) -> Vec<f64> {
    let start: Vec<f64> = (0..start.len()).map(|i| start[i].clamp(low[i], high[i])).collect();
    // The solver refuses such a start by a panic.
    if !start.iter().all(|v| v.is_finite()) {
        return start;
    }
    let bounds = BoxBounds::new(Some(low.to_vec()), Some(high.to_vec()));
    let set = ConstraintSet::new().with_bounds(bounds).with_nonlinear_inequalities(count);
    let problem = Constrained::new(Problem { function, last: RefCell::new(None) }, set);
    let solver = Slsqp::new().with_absolute_accuracy_tolerance(effort.tolerance);
    match Executor::from_start(problem, solver, start.clone()).max_iter(effort.iterations).run() {
        Ok(result) => result.param().clone(),
        Err(_) => start,
    }
}

/// The library asks for value, gradient, constraints and their gradients one by one, mostly at the
/// same point: the last evaluation is kept.
struct Problem<F> {
    function: F,
    last: RefCell<Option<(Vec<f64>, Smooth)>>,
}

impl<F: Fn(&[f64]) -> Smooth> Problem<F> {
    fn at<T>(&self, x: &[f64], read: impl FnOnce(&Smooth) -> T) -> T {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(at, _)| at != x) {
            let mut smooth = (self.function)(x);
            if !smooth.value.is_finite() {
                smooth.value = WALL;
            }
            *last = Some((x.to_vec(), smooth));
        }
        let (_, smooth) = last.as_ref().expect("just filled");
        read(smooth)
    }
}

impl<F: Fn(&[f64]) -> Smooth> CostFunction for Problem<F> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = Infallible;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Infallible> {
        Ok(self.at(x, |s| s.value))
    }
}

impl<F: Fn(&[f64]) -> Smooth> Gradient for Problem<F> {
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Infallible> {
        Ok(self.at(x, |s| s.gradient.clone()))
    }
}

impl<F: Fn(&[f64]) -> Smooth> NonlinearInequalityValues for Problem<F> {
    type Param = Vec<f64>;
    type Values = Vec<f64>;
    type Error = Infallible;

    fn nonlinear_inequalities(
        &self,
        x: &Vec<f64>,
    ) -> Result<Vec<f64>, ConstraintSolveError<Infallible>> {
        Ok(self.at(x, |s| s.constraints.clone()))
    }
}

impl<F: Fn(&[f64]) -> Smooth> ConstraintJacobian for Problem<F> {
    type Param = Vec<f64>;
    type Jacobian = DenseMatrix<f64>;
    type Error = Infallible;

    fn constraint_jacobian(
        &self,
        x: &Vec<f64>,
    ) -> Result<DenseMatrix<f64>, ConstraintSolveError<Infallible>> {
        Ok(self.at(x, |s| DenseMatrix::from_fn(s.jacobian.len(), x.len(), |i, j| s.jacobian[i][j])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// min x + y on the unit disk: -(sqrt 2) at the south-west.
    #[test]
    fn ends_on_the_boundary_it_should() {
        let disk = |x: &[f64]| Smooth {
            value: x[0] + x[1],
            gradient: vec![1.0, 1.0],
            constraints: vec![x[0] * x[0] + x[1] * x[1] - 1.0],
            jacobian: vec![vec![2.0 * x[0], 2.0 * x[1]]],
        };
        let effort = Effort { iterations: 50, tolerance: 1e-10 };
        let end = minimize_constrained(disk, 1, &[0.3, 0.9], &[-2.0; 2], &[2.0; 2], effort);
        let half = -(0.5f64.sqrt());
        assert!((end[0] - half).abs() < 1e-6 && (end[1] - half).abs() < 1e-6, "{end:?}");
    }
}
