//! Branin under a disk.

use std::f64::consts::PI;
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Branin's function, to be minimised:
/// $(x_2 - \tfrac{5.1}{4\pi^2} x_1^2 + \tfrac5\pi x_1 - 6)^2 + 10(1 - \tfrac1{8\pi}) \cos x_1 + 10$.
pub fn branin(x: &[f64]) -> f64 {
    let valley = x[1] - 5.1 / (4.0 * PI * PI) * x[0] * x[0] + 5.0 / PI * x[0] - 6.0;
    valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * x[0].cos() + 10.0
}

/// Minimise [`branin`] on $[-5,10] \times \[0,15\]$ subject to $(x_1 - 2.5)^2 + (x_2 - 7.5)^2 \le 50$; $f$ is the negated
/// objective.
///
/// Of Branin's three minimisers only $(\pi, 2.275)$ is feasible: $f^\star = -10/(8\pi)$, the constraint inactive.
pub fn disk() -> Problem {
    Problem {
        name: "branin_disk".into(),
        source: "Gelbart, Snoek, Adams: Bayesian Optimization with Unknown Constraints, UAI 2014"
            .into(),
        domain: vec![Parameter::new("x1", -5.0, 10.0), Parameter::new("x2", 0.0, 15.0)],
        objective: Arc::new(|x| -branin(x)),
        constraints: vec![Constraint::new("disk", |x| {
            (x[0] - 2.5).powi(2) + (x[1] - 7.5).powi(2) - 50.0
        })],
        optimum: Optimum { x: vec![PI, 2.275], value: -10.0 / (8.0 * PI), active: vec![] },
    }
}
