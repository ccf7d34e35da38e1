//! Ackley under a half-space and a ball.

use std::f64::consts::{E, PI};
use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Minimise $-20 e^{-0.2\sqrt{\frac1d\sum_i x_i^2}} - e^{\frac1d\sum_i\cos 2\pi x_i} + 20 + e$ on $[-5,10]^d$ subject to
/// $\sum_i x_i \le 0$ and $\lVert x\rVert_2 \le 5$; $f$ is the negated objective. Eriksson and Poloczek take $d = 10$.
///
/// Ackley's function vanishes only at the origin, which is feasible: $f^\star = 0$, the sum active. Neither $f$ nor the
/// norm is differentiable there.
pub fn scbo(dims: usize) -> Problem {
    Problem {
        name: format!("ackley{dims}"),
        source: "Eriksson, Poloczek: Scalable Constrained Bayesian Optimization, AISTATS 2021, section 4; Ackley 1987".into(),
        domain: Parameter::cube(dims, -5.0, 10.0),
        objective: Arc::new(|x| -ackley(x)),
        constraints: vec![
            Constraint::new("sum", |x| x.iter().sum()),
            Constraint::new("norm", |x| x.iter().map(|v| v * v).sum::<f64>().sqrt() - 5.0),
        ],
        optimum: Optimum { x: vec![0.0; dims], value: 0.0, active: vec![0] },
    }
}

fn ackley(x: &[f64]) -> f64 {
    let mean = |term: fn(f64) -> f64| x.iter().map(|&v| term(v)).sum::<f64>() / x.len() as f64;
    let bowl = 20.0 * (-0.2 * mean(|v| v * v).sqrt()).exp();
    let ripples = mean(|v| (2.0 * PI * v).cos()).exp();
    (20.0 - bowl) + (E - ripples)
}
