//! Gramacy's toy problem.

use std::f64::consts::PI;
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $x_1 + x_2$ on $\[0,1\]^2$ subject to $\tfrac32 - x_1 - 2x_2 - \tfrac12 \sin(2\pi(x_1^2 - 2x_2)) \le 0$ and
/// $x_1^2 + x_2^2 - \tfrac32 \le 0$; $f$ is the negated objective.
///
/// Published optimum 0.5998 at (0.1954, 0.4044), refined here; two more local optima, 0.75 at
/// (0, 0.75) and 0.8609 at (0.7197, 0.1411), wait for a greedy search.
pub fn toy() -> Problem {
    Problem {
        name: "gramacy".into(),
        source: "Gramacy, Gray, Le Digabel, Lee, Ranjan, Wells, Wild: Modeling an Augmented Lagrangian for Blackbox \
                 Constrained Optimization, Technometrics 58(1), 2016, eq. (2)"
            .into(),
        domain: Parameter::cube(2, 0.0, 1.0),
        objective: Arc::new(|x| -x[0] - x[1]),
        constraints: vec![
            Constraint::new("sine", |x| {
                1.5 - x[0] - 2.0 * x[1] - 0.5 * (2.0 * PI * (x[0] * x[0] - 2.0 * x[1])).sin()
            }),
            Constraint::new("disk", |x| x[0] * x[0] + x[1] * x[1] - 1.5),
        ],
        optimum: Optimum { x: vec![0.195122683472, 0.404665368538], value: -0.599788052010, active: vec![0] },
    }
}
