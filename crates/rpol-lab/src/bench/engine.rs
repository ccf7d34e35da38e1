//! A posterior of any size, for benchmarks of the Gaussian-process engine.

use rpol::gp::{Factor, Posterior, Scale};
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::{Kernel, Points, Result};

/// Scrambled Sobol points.
pub fn points(count: usize, dims: usize, seed: u64) -> Result<Points> {
    let mut sobol = Sobol::scrambled(dims, &mut Stream::new(seed, 0))?;
    Ok(Points::from_rows(dims, &sobol.points().take(count).collect::<Vec<_>>()))
}

/// What is observed at a point.
pub fn value(x: &[f64]) -> f64 {
    x.iter().map(|v| (5.0 * v).sin()).sum()
}

/// The posterior of the first `n` of the points.
pub fn posterior(kernel: Kernel, data: &Points, n: usize, noise: f64) -> Result<Posterior> {
    let factor = Factor::new(kernel, data.dims())?;
    let targets: Vec<[f64; 1]> = (0..n).map(|i| [value(&data.point(i))]).collect();
    let (inputs, noise) = (data.view().range(0..n), vec![noise; n]);
    Posterior::build(factor, vec![Scale::default()], inputs, &targets, &noise)
}
