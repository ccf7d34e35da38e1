//! Mishra's bird under a disk.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $\sin(y) e^{(1 - \cos x)^2} + \cos(x) e^{(1 - \sin y)^2} + (x - y)^2$ on $[-10,0] \times [-6.5,0]$
/// subject to $(x+5)^2 + (y+5)^2 \le 25$; $f$ is the negated objective.
///
/// Published optimum 106.7645367 at (-3.1302468, -1.5821422), refined here; the constraint is inactive.
pub fn disk() -> Problem {
    Problem {
        name: "mishra_bird".into(),
        source: "Mishra: Some new test functions for global optimization, MPRA Paper 2718, 2006; the disk from Phoenix \
                 Integration's benchmark, Bird Problem (Constrained)"
            .into(),
        domain: vec![Parameter::new("x", -10.0, 0.0), Parameter::new("y", -6.5, 0.0)],
        objective: Arc::new(|x| -bird(x[0], x[1])),
        constraints: vec![Constraint::new("disk", |x| (x[0] + 5.0).powi(2) + (x[1] + 5.0).powi(2) - 25.0)],
        optimum: Optimum { x: vec![-3.130246803455, -1.582142176930], value: 106.764536749265, active: vec![] },
    }
}

fn bird(x: f64, y: f64) -> f64 {
    y.sin() * (1.0 - x.cos()).powi(2).exp()
        + x.cos() * (1.0 - y.sin()).powi(2).exp()
        + (x - y).powi(2)
}
