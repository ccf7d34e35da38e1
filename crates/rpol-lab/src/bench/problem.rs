//! What the benchmarks play.

use crate::problem::{Constraint, Environment, NoiseReading, Optimum, Parameter, Problem};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Where the objective of the waves has its top, in every coordinate.
const TOP: f64 = 0.3;
/// Noise of the waves, as a share of an output's standard deviation.
const NOISE: f64 = 0.1;

/// The paper's classical problem where it fits, else waves of as many dimensions and constraints.
pub(super) fn environment(dims: usize, constraints: usize) -> Environment {
    if (dims, constraints) == (2, 1) {
        return Environment::classical(NoiseReading::Variance);
    }
    // The mean of d independent cosines has variance 1 / 2d.
    let noise = NOISE / (2.0 * dims as f64).sqrt();
    Environment::stationary(waves(dims, constraints), 1, noise)
}

/// $f(x)$ is the mean of $\cos 2\pi(x_i - 0.3)$, and each $g_j$ the same with its top elsewhere: never within a
/// quarter of the objective's, so the optimum is feasible and inside.
fn waves(dims: usize, constraints: usize) -> Problem {
    let wave = |top: f64| {
        move |x: &[f64]| x.iter().map(|x| (TAU * (x - top)).cos()).sum::<f64>() / x.len() as f64
    };
    let constraint = |j: usize| {
        let shift = 0.25 + 0.5 * (j + 1) as f64 / (constraints + 1) as f64;
        Constraint::new(format!("g{}", j + 1), wave(TOP + shift))
    };
    Problem {
        name: format!("waves{dims}"),
        source: "rpol: cosines, for benchmarks".into(),
        domain: Parameter::cube(dims, 0.0, 1.0),
        objective: Arc::new(wave(TOP)),
        constraints: (0..constraints).map(constraint).collect(),
        optimum: Optimum { x: vec![TOP; dims], value: 1.0, active: Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_the_waves_is_feasible_and_nothing_is_above_it() {
        for constraints in 0..4 {
            let problem = waves(6, constraints);
            let Optimum { x, value, .. } = &problem.optimum;
            assert!(problem.g(x).iter().all(|g| *g < -0.1), "{:?}", problem.g(x));
            assert!((problem.f(x) - value).abs() < 1e-12 && problem.f(&[0.35; 6]) < *value);
            let noise = environment(6, constraints).noise;
            assert!(noise.len() == 1 + constraints && noise[0] > 0.01);
        }
    }
}
