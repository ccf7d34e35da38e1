//! The top of a function whose second derivatives are known, within bounds.
//!
//! The functions are small (a handful of coordinates, a fraction of a microsecond a look) and there are dozens of them to a
//! decision: what a general optimizer spends on its own books would be most of the time.

/// A function with its derivatives.
pub(crate) trait Twice {
    fn value(&mut self, x: &[f64]) -> f64;
    /// Value and derivatives.
    fn look(&mut self, x: &[f64], at: &mut Local);
}

/// A function around a point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Local {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    /// Symmetric, row after row.
    pub(crate) hessian: Vec<f64>,
}

impl Local {
    pub(crate) fn new(dims: usize) -> Self {
        Self { value: 0.0, gradient: vec![0.0; dims], hessian: vec![0.0; dims * dims] }
    }

    pub(crate) fn clear(&mut self) {
        self.value = 0.0;
        self.gradient.fill(0.0);
        self.hessian.fill(0.0);
    }
}

/// Halvings of a step before it is given up.
const HALVINGS: usize = 10;
/// The share of the promised rise that a step must bring.
const ENOUGH: f64 = 1e-4;

/// Projected Newton (Bertsekas 1982): up from `x` within `[low, high]`, until a step promises less than `tolerance` or
/// after so many steps. Coordinates at a bound that the slope presses against stay there; where the function
/// is not concave, enough is added to its curvature to make it so.
pub(crate) fn climb(
    function: &mut impl Twice,
    x: &mut [f64],
    low: &[f64],
    high: &[f64],
    steps: usize,
    tolerance: f64,
) {
    let dims = x.len();
    let mut at = Local::new(dims);
    let mut newton = Newton {
        free: Vec::with_capacity(dims),
        factor: vec![0.0; dims * dims],
        step: vec![0.0; dims],
    };
    let mut next = x.to_vec();
    for _ in 0..steps {
        function.look(x, &mut at);
        newton.choose_free(x, &at.gradient, low, high);
        newton.solve(&at);
        let promised: f64 = newton.free.iter().map(|i| at.gradient[*i] * newton.step[*i]).sum();
        // Not a number is no promise either.
        let promising = promised > tolerance;
        if !promising || !newton.go(function, x, &at, low, high, &mut next) {
            return;
        }
        x.copy_from_slice(&next);
    }
}

struct Newton {
    free: Vec<usize>,
    factor: Vec<f64>,
    step: Vec<f64>,
}

impl Newton {
    fn choose_free(&mut self, x: &[f64], slope: &[f64], low: &[f64], high: &[f64]) {
        let held =
            |i: usize| x[i] <= low[i] && slope[i] <= 0.0 || x[i] >= high[i] && slope[i] >= 0.0;
        self.free.clear();
        self.free.extend((0..x.len()).filter(|i| !held(*i)));
    }

    /// The step to the top of the parabola, in the free coordinates.
    fn solve(&mut self, at: &Local) {
        let dims = at.gradient.len();
        self.step.fill(0.0);
        let curvature = |i: usize| at.hessian[i * dims + i].abs();
        let largest = self.free.iter().map(|i| curvature(*i)).fold(0.0, f64::max);
        let slope = self.free.iter().map(|i| at.gradient[*i].abs()).fold(0.0, f64::max);
        let mut more = 0.0;
        while !self.factored(at, more) {
            // A parabola through nothing but a slope: one unit of the cube away.
            more = if more == 0.0 {
                (1e-3 * largest).max(slope).max(f64::MIN_POSITIVE)
            } else {
                8.0 * more
            };
        }
        let (n, l) = (self.free.len(), &self.factor);
        for a in 0..n {
            let below: f64 = (0..a).map(|b| l[a * dims + b] * self.step[self.free[b]]).sum();
            self.step[self.free[a]] = (at.gradient[self.free[a]] - below) / l[a * dims + a];
        }
        for a in (0..n).rev() {
            let above: f64 = (a + 1..n).map(|b| l[b * dims + a] * self.step[self.free[b]]).sum();
            self.step[self.free[a]] = (self.step[self.free[a]] - above) / l[a * dims + a];
        }
    }

    /// The Cholesky factor of minus the curvature and `more`; whether there is one.
    fn factored(&mut self, at: &Local, more: f64) -> bool {
        let dims = at.gradient.len();
        for a in 0..self.free.len() {
            for b in 0..=a {
                let (i, j) = (self.free[a], self.free[b]);
                let own = if a == b { more } else { 0.0 };
                let l = &self.factor;
                let known: f64 = (0..b).map(|k| l[a * dims + k] * l[b * dims + k]).sum();
                let rest = own - at.hessian[i * dims + j] - known;
                if a != b {
                    self.factor[a * dims + b] = rest / self.factor[b * dims + b];
                } else if rest > 1e-12 * at.hessian[i * dims + i].abs() {
                    self.factor[a * dims + a] = rest.sqrt();
                } else if rest.is_nan() || more > 1e100 {
                    // Nothing can be made of it: a flat parabola, no step.
                    self.factor[a * dims + a] = f64::INFINITY;
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// Takes the step, or as many halves of it as it takes to rise.
    fn go(
        &self,
        function: &mut impl Twice,
        x: &[f64],
        at: &Local,
        low: &[f64],
        high: &[f64],
        next: &mut [f64],
    ) -> bool {
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            for i in 0..x.len() {
                next[i] = (x[i] + share * self.step[i]).clamp(low[i], high[i]);
            }
            let rise: f64 = (0..x.len()).map(|i| at.gradient[i] * (next[i] - x[i])).sum();
            if rise > 0.0 && function.value(next) >= at.value + ENOUGH * rise {
                return true;
            }
            share *= 0.5;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// $-(1-x)^2 - 100(y-x^2)^2$: a bent ridge with its top at (1, 1), not concave everywhere.
    struct Rosenbrock;

    impl Twice for Rosenbrock {
        fn value(&mut self, x: &[f64]) -> f64 {
            -(1.0 - x[0]).powi(2) - 100.0 * (x[1] - x[0] * x[0]).powi(2)
        }

        fn look(&mut self, x: &[f64], at: &mut Local) {
            let off = x[1] - x[0] * x[0];
            at.value = self.value(x);
            at.gradient = vec![2.0 * (1.0 - x[0]) + 400.0 * x[0] * off, -200.0 * off];
            let mixed = 400.0 * x[0];
            at.hessian = vec![-2.0 + 400.0 * off - 800.0 * x[0] * x[0], mixed, mixed, -200.0];
        }
    }

    #[test]
    fn climbs_a_bent_ridge_and_stops_at_bounds() {
        let mut x = [-1.2, 1.0];
        climb(&mut Rosenbrock, &mut x, &[-5.0; 2], &[5.0; 2], 50, 1e-20);
        assert!((x[0] - 1.0).abs() < 1e-8 && (x[1] - 1.0).abs() < 1e-8, "{x:?}");
        let mut x = [-1.2, 1.0];
        climb(&mut Rosenbrock, &mut x, &[-5.0; 2], &[0.5, 5.0], 50, 1e-20);
        assert!(x[0] == 0.5 && (x[1] - 0.25).abs() < 1e-8, "{x:?}");
    }

    #[test]
    fn nothing_comes_of_no_numbers() {
        struct Nowhere;
        impl Twice for Nowhere {
            fn value(&mut self, _: &[f64]) -> f64 {
                f64::NAN
            }
            fn look(&mut self, _: &[f64], at: &mut Local) {
                at.value = f64::NAN;
                at.gradient.fill(f64::NAN);
                at.hessian.fill(f64::NAN);
            }
        }
        let mut x = [0.3];
        climb(&mut Nowhere, &mut x, &[0.0], &[1.0], 5, 1e-9);
        assert_eq!(x, [0.3]);
    }
}
