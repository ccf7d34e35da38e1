//! Simionescu's flower.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $0.1 xy$ on $[-1.25,1.25]^2$ subject to $x^2 + y^2 \le (1 + 0.2\cos(8 \arctan(x/y)))^2$; $f$ is the negated
/// objective.
///
/// The petals reach radius 1.2 on the diagonals: $x^\star = \pm(0.6\sqrt2, -0.6\sqrt2)$, $f^\star = 0.072$.
pub fn simionescu() -> Problem {
    let half = 0.6 * 2.0_f64.sqrt();
    Problem {
        name: "simionescu".into(),
        source: "Simionescu: Computer Aided Graphing and Simulation Tools for AutoCAD Users, CRC Press 2014".into(),
        domain: vec![Parameter::new("x", -1.25, 1.25), Parameter::new("y", -1.25, 1.25)],
        objective: Arc::new(|x| -0.1 * x[0] * x[1]),
        constraints: vec![Constraint::new("flower", |x| x[0] * x[0] + x[1] * x[1] - flower(x[0], x[1]))],
        optimum: Optimum { x: vec![half, -half], value: 0.072, active: vec![0] },
    }
}

/// Squared radius; `atan2` equals the arctangent here (the cosine repeats every quarter of pi) and is defined at y = 0.
fn flower(x: f64, y: f64) -> f64 {
    (1.0 + 0.2 * (8.0 * x.atan2(y)).cos()).powi(2)
}
