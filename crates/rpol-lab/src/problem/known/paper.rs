//! The three phases of the paper's experiments.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// The paper whose experiments these are.
pub const SOURCE: &str = "Guo, Zhu, Liu: Rectified Pessimistic-Optimistic Learning for Stochastic Continuum-armed Bandit \
                          with Constraints, Experiments";

/// $f = -\sin x_1 - x_2$, $g = \sin x_1 \sin x_2 + 0.95$ on $\[0,6\]^2$; rounds 1-100, and the stationary experiments.
///
/// With $s = -\sin x_1$ the best $x_2$ is $\arcsin(0.95/s)$ and $f = s - \arcsin(0.95/s)$ grows in $s$, so
/// $x^\star = (3\pi/2, \arcsin 0.95)$ and $f^\star = 1 - \arcsin 0.95$. It is Gardner's second simulation, maximised.
pub fn phase1() -> Problem {
    let x2 = 0.95_f64.asin();
    Problem {
        name: "paper_phase1".into(),
        source: format!("{SOURCE}; f and g of rounds 1-100"),
        domain: Parameter::cube(2, 0.0, 6.0),
        objective: Arc::new(|x| -x[0].sin() - x[1]),
        constraints: vec![Constraint::new("cost", |x| x[0].sin() * x[1].sin() + 0.95)],
        optimum: Optimum { x: vec![3.0 * FRAC_PI_2, x2], value: 1.0 - x2, active: vec![0] },
    }
}

/// $f = -\sin(x_1 - 5) - x_2$, $g = \sin x_1 \sin(x_2 + 5) + 0.5$ on $\[0,6\]^2$; rounds 101-300.
///
/// The optimum sits on the edge $x_2 = 0$, where $g \le 0$ reads $\sin x_1 \ge 0.5/|\sin 5|$:
/// $x_1^\star = \pi - \arcsin(0.5/|\sin 5|)$ and $f^\star = -\sin(x_1^\star - 5)$.
pub fn phase2() -> Problem {
    let x1 = PI - (0.5 / 5.0_f64.sin().abs()).asin();
    Problem {
        name: "paper_phase2".into(),
        source: format!("{SOURCE}; f and g of rounds 101-300"),
        domain: Parameter::cube(2, 0.0, 6.0),
        objective: Arc::new(|x| -(x[0] - 5.0).sin() - x[1]),
        constraints: vec![Constraint::new("cost", |x| x[0].sin() * (x[1] + 5.0).sin() + 0.5)],
        optimum: Optimum { x: vec![x1, 0.0], value: -(x1 - 5.0).sin(), active: vec![0] },
    }
}

/// $f = -\sin(x_1 + 4) - x_2$, $g = \sin(x_1 + 5) \sin x_2 + 0.95$ on $\[0,6\]^2$; rounds 301-500.
///
/// The optimum sits on the edge $x_1 = 0$: $x_2^\star = \arcsin(0.95/|\sin 5|)$ and $f^\star = -\sin 4 - x_2^\star$.
pub fn phase3() -> Problem {
    let x2 = (0.95 / 5.0_f64.sin().abs()).asin();
    Problem {
        name: "paper_phase3".into(),
        source: format!("{SOURCE}; f and g of rounds 301-500"),
        domain: Parameter::cube(2, 0.0, 6.0),
        objective: Arc::new(|x| -(x[0] + 4.0).sin() - x[1]),
        constraints: vec![Constraint::new("cost", |x| (x[0] + 5.0).sin() * x[1].sin() + 0.95)],
        optimum: Optimum { x: vec![0.0, x2], value: -(4.0_f64.sin()) - x2, active: vec![0] },
    }
}
