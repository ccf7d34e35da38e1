//! Townsend's function inside a heart.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $-\cos^2((x-0.1)y) - x \sin(3x + y)$ on $[-2.25,2.25] \times [-2.5,1.75]$ subject to
/// $x^2 + y^2 \le (2\cos t - \tfrac12\cos 2t - \tfrac14\cos 3t - \tfrac18\cos 4t)^2 + (2\sin t)^2$ with
/// $t = \mathrm{atan2}(x, y)$; $f$ is the negated objective.
///
/// Published optimum 2.0239884 at (2.0052938, 1.1944509), refined here. $g$ jumps at the origin, deep inside the
/// feasible set, where $t$ has no limit.
pub fn modified() -> Problem {
    Problem {
        name: "townsend".into(),
        source: "Townsend: Constrained optimization in Chebfun, chebfun.org 2014; modified as in Wikipedia, Test functions \
                 for optimization"
            .into(),
        domain: vec![Parameter::new("x", -2.25, 2.25), Parameter::new("y", -2.5, 1.75)],
        objective: Arc::new(|x| ((x[0] - 0.1) * x[1]).cos().powi(2) + x[0] * (3.0 * x[0] + x[1]).sin()),
        constraints: vec![Constraint::new("heart", |x| x[0] * x[0] + x[1] * x[1] - heart(x[0].atan2(x[1])))],
        optimum: Optimum { x: vec![2.005292715554, 1.194452883880], value: 2.023988362326, active: vec![0] },
    }
}

/// Squared radius of the heart in direction `t`.
fn heart(t: f64) -> f64 {
    let across =
        2.0 * t.cos() - 0.5 * (2.0 * t).cos() - 0.25 * (3.0 * t).cos() - 0.125 * (4.0 * t).cos();
    across.powi(2) + (2.0 * t.sin()).powi(2)
}
