//! Hartmann's six-dimensional function under a norm.

use std::sync::Arc;

use super::super::{Constraint, Optimum, Parameter, Problem};

const HEIGHT: [f64; 4] = [1.0, 1.2, 3.0, 3.2];

const SHARPNESS: [[f64; 6]; 4] = [
    [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
    [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
    [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
    [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
];

const CENTRE: [[f64; 6]; 4] = [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/// Hartmann's function with the sign that makes it a maximisation:
/// $\sum_{j=1}^4 \alpha_j \exp\bigl(-\sum_{i=1}^6 A_{ji}(x_i - P_{ji})^2\bigr)$.
pub fn hartmann6(x: &[f64]) -> f64 {
    (0..4).map(|j| HEIGHT[j] * (-exponent(j, x)).exp()).sum()
}

fn exponent(j: usize, x: &[f64]) -> f64 {
    (0..6).map(|i| SHARPNESS[j][i] * (x[i] - CENTRE[j][i]).powi(2)).sum()
}

/// Maximise [`hartmann6`] on $\[0,1\]^6$ subject to $\lVert x\rVert_2^2 \le 1$; published as a minimisation of $-f$.
///
/// The unconstrained maximiser has norm 0.946, so the constraint is inactive. Published optimum 3.32237, refined here.
pub fn ball() -> Problem {
    Problem {
        name: "hartmann6_ball".into(),
        source: "Letham, Karrer, Ottoni, Bakshy: Constrained Bayesian Optimization with Noisy Experiments, Bayesian \
                 Analysis 14(2), 2019; the squared norm as in BoTorch's ConstrainedHartmannSmooth"
            .into(),
        domain: Parameter::cube(6, 0.0, 1.0),
        objective: Arc::new(hartmann6),
        constraints: vec![Constraint::new("norm", |x| x.iter().map(|v| v * v).sum::<f64>() - 1.0)],
        optimum: Optimum {
            x: vec![0.201689511007, 0.150010691823, 0.476873974222, 0.275332430494, 0.311651616600, 0.657300534066],
            value: 3.322368011416,
            active: vec![],
        },
    }
}

/// Maximise [`hartmann6`] on $\[0,1\]^6$ subject to $\lVert x\rVert_1 \le 1.5$: rpol's own variant.
///
/// The published norms leave the unconstrained maximiser feasible ($\lVert x\rVert_1 = 2.07$); this budget does not, so
/// that one problem of six dimensions has its constraint active.
pub fn budget() -> Problem {
    Problem {
        name: "hartmann6_budget".into(),
        source: "rpol, after the 1-norm constraint on Hartmann 6 in BoTorch's closed-loop tutorial (there 3, inactive)".into(),
        constraints: vec![Constraint::new("budget", |x| x.iter().map(|v| v.abs()).sum::<f64>() - 1.5)],
        optimum: Optimum {
            x: vec![0.108513746840, 0.037957272584, 0.205771050172, 0.248036832236, 0.283342122080, 0.616378976088],
            value: 2.595108293699,
            active: vec![0],
        },
        ..ball()
    }
}
