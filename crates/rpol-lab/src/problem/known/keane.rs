//! Keane's bump.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

/// Maximise $\left|\sum_i \cos^4 x_i - 2\prod_i \cos^2 x_i\right| \big/ \sqrt{\sum_i i x_i^2}$ on $\[0,10\]^2$ subject to
/// $\prod_i x_i \ge 0.75$ and $\sum_i x_i \le 7.5 d$.
///
/// $f$ is $0/0$ at the origin, infeasible; 0 is returned there. Published optimum 0.364979 at (1.60086, 0.46850),
/// refined here.
pub fn bump2() -> Problem {
    Problem {
        name: "keane2".into(),
        source: "Keane: Experiences with optimizers in structural design, Adaptive Computing in Engineering Design and \
                 Control 1994"
            .into(),
        domain: Parameter::cube(2, 0.0, 10.0),
        objective: Arc::new(bump),
        constraints: vec![
            Constraint::new("product", |x| 0.75 - x.iter().product::<f64>()),
            Constraint::new("sum", |x| x.iter().sum::<f64>() - 7.5 * x.len() as f64),
        ],
        optimum: Optimum { x: vec![1.600860437286, 0.468498054254], value: 0.364979745871, active: vec![0] },
    }
}

fn bump(x: &[f64]) -> f64 {
    let sum: f64 = x.iter().map(|v| v.cos().powi(4)).sum();
    let product: f64 = x.iter().map(|v| v.cos().powi(2)).product();
    let square: f64 = x.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v * v).sum();
    if square == 0.0 { 0.0 } else { (sum - 2.0 * product).abs() / square.sqrt() }
}
