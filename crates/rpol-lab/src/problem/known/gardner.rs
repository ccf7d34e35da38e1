//! Gardner's two simulations.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};
use super::paper;

const SOURCE: &str = "Gardner, Kusner, Xu, Weinberger, Cunningham: Bayesian Optimization with Inequality Constraints, ICML 2014";

/// Simulation 1: minimise $\cos 2x_1 \cos x_2 + \sin x_1$ on $\[0,6\]^2$ subject to
/// $\cos x_1 \cos x_2 - \sin x_1 \sin x_2 \le 0.5$; $f$ is the negated objective.
///
/// Each term is at least $-1$ and both reach it at $(3\pi/2, 0)$, which is feasible: $f^\star = 2$ with the constraint
/// inactive and $x_2$ on the domain's edge.
pub fn first() -> Problem {
    Problem {
        name: "gardner1".into(),
        source: format!("{SOURCE}, simulation 1"),
        domain: Parameter::cube(2, 0.0, 6.0),
        objective: Arc::new(|x| -((2.0 * x[0]).cos() * x[1].cos() + x[0].sin())),
        constraints: vec![Constraint::new("waves", |x| {
            x[0].cos() * x[1].cos() - x[0].sin() * x[1].sin() - 0.5
        })],
        optimum: Optimum { x: vec![3.0 * FRAC_PI_2, 0.0], value: 2.0, active: vec![] },
    }
}

/// Simulation 2: minimise $\sin x_1 + x_2$ on $\[0,6\]^2$ subject to $\sin x_1 \sin x_2 \le -0.95$; $f$ is the negated
/// objective, and the problem is the paper's [`phase1`](paper::phase1).
pub fn second() -> Problem {
    Problem {
        name: "gardner2".into(),
        source: format!("{SOURCE}, simulation 2"),
        ..paper::phase1()
    }
}
