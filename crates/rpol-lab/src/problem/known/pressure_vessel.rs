//! The pressure vessel.

use std::f64::consts::PI;
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise a vessel's cost $0.6224 T_s R L + 1.7781 T_h R^2 + 3.1661 T_s^2 L + 19.84 T_s^2 R$ in shell and head
/// thickness $T_s, T_h$, radius $R$ and length $L$ subject to $0.0193 R \le T_s$, $0.00954 R \le T_h$,
/// $\pi R^2 L + \tfrac43\pi R^3 \ge 1296000$ and $L \le 240$.
///
/// $f$ is the negated cost. Continuous form: the thicknesses are not rounded to multiples of 0.0625. Volume and length
/// are divided by their limits, so that every $g$ is of order one. Published optimum 5885.33 (for $L \le 200$), refined
/// here; the optimal $L$ is on the domain's edge.
pub fn continuous() -> Problem {
    Problem {
        name: "pressure_vessel".into(),
        source: "Sandgren: Nonlinear integer and discrete programming in mechanical design optimization, J. Mechanical \
                 Design 112, 1990; continuous form with the bounds of Coello Coello, Computers in Industry 41, 2000"
            .into(),
        domain: vec![
            Parameter::new("shell", 0.0625, 6.1875),
            Parameter::new("head", 0.0625, 6.1875),
            Parameter::new("radius", 10.0, 200.0),
            Parameter::new("length", 10.0, 200.0),
        ],
        objective: Arc::new(|x| -cost(x)),
        constraints: vec![
            Constraint::new("shell_thickness", |x| 0.0193 * x[2] - x[0]),
            Constraint::new("head_thickness", |x| 0.00954 * x[2] - x[1]),
            Constraint::new("volume", |x| 1.0 - PI * x[2] * x[2] * (x[3] + 4.0 / 3.0 * x[2]) / 1_296_000.0),
            Constraint::new("length", |x| x[3] / 240.0 - 1.0),
        ],
        optimum: Optimum {
            x: vec![0.778168641375, 0.384649162628, 40.319618724099, 200.0],
            value: -5885.332773616458,
            active: vec![0, 1, 2],
        },
    }
}

fn cost(x: &[f64]) -> f64 {
    let (shell, head, radius, length) = (x[0], x[1], x[2], x[3]);
    0.6224 * shell * radius * length
        + 1.7781 * head * radius * radius
        + 3.1661 * shell * shell * length
        + 19.84 * shell * shell * radius
}
