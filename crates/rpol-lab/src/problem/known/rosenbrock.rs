//! Rosenbrock between a cubic and a line.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $(1-x)^2 + 100(y - x^2)^2$ on $[-1.5,1.5] \times [-0.5,2.5]$ subject to $(x-1)^3 - y + 1 \le 0$ and
/// $x + y - 2 \le 0$; $f$ is the negated objective.
///
/// The unconstrained minimiser $(1, 1)$ is where both constraints meet: $f^\star = 0$, both active with multiplier zero.
pub fn cubic_line() -> Problem {
    Problem {
        name: "rosenbrock".into(),
        source: "Simionescu, Beale: New Concepts in Graphic Visualization of Objective Functions, ASME DETC 2002".into(),
        domain: vec![Parameter::new("x", -1.5, 1.5), Parameter::new("y", -0.5, 2.5)],
        objective: Arc::new(|x| -(1.0 - x[0]).powi(2) - 100.0 * (x[1] - x[0] * x[0]).powi(2)),
        constraints: vec![
            Constraint::new("cubic", |x| (x[0] - 1.0).powi(3) - x[1] + 1.0),
            Constraint::new("line", |x| x[0] + x[1] - 2.0),
        ],
        optimum: Optimum { x: vec![1.0, 1.0], value: 0.0, active: vec![0, 1] },
    }
}
