//! Gomez and Levy's six-hump camel behind a grating.

use std::f64::consts::PI;
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $4x^2 - 2.1x^4 + \tfrac13 x^6 + xy - 4y^2 + 4y^4$ on $[-1,0.75] \times [-1,1]$ subject to
/// $-\sin 4\pi x + 2\sin^2 2\pi y \le 1.5$; $f$ is the negated objective.
///
/// Published optimum 1.031628453 at (0.08984201, -0.7126564), refined here. The feasible set has many components; the
/// camel's other global minimiser, mirrored, is infeasible; the constraint is inactive.
pub fn modified() -> Problem {
    Problem {
        name: "gomez_levy".into(),
        source: "Gomez, Levy: The tunnelling method for solving the constrained global optimization problem with several \
                 non-connected feasible regions, 1982; modified as in Simionescu, IJMMNO 10(4), 2020"
            .into(),
        domain: vec![Parameter::new("x", -1.0, 0.75), Parameter::new("y", -1.0, 1.0)],
        objective: Arc::new(|x| -camel(x[0], x[1])),
        constraints: vec![Constraint::new("grating", |x| {
            -(4.0 * PI * x[0]).sin() + 2.0 * (2.0 * PI * x[1]).sin().powi(2) - 1.5
        })],
        optimum: Optimum { x: vec![0.089842013100, -0.712656403021], value: 1.031628453490, active: vec![] },
    }
}

fn camel(x: f64, y: f64) -> f64 {
    let (x2, y2) = (x * x, y * y);
    (4.0 - 2.1 * x2 + x2 * x2 / 3.0) * x2 + x * y + (4.0 * y2 - 4.0) * y2
}
