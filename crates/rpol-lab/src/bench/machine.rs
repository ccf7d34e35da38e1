//! What this machine can do, measured by a plain sum and by faer's own kernels: no code of ours is the yardstick.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, Mat, Par};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Right-hand sides of the solve: enough for its blocks to be full.
const COLUMNS: usize = 64;
/// Order of the matrices that are multiplied.
const ORDER: usize = 512;
/// Each speed is the best of so many.
const REPEATS: usize = 7;

/// Speeds of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Bytes a second of a sum over an array as large as the pool's rows.
    pub read: f64,
    /// Flops a second of a triangular solve of order $n$ with 64 right-hand sides, $n^2$ flops each.
    pub solve: f64,
    /// Flops a second of a matrix product, $2\cdot 512^3$ of them.
    pub product: f64,
}

impl Machine {
    /// Measures all three for a pool of `candidates` on `n` points.
    pub fn measure(n: usize, candidates: usize) -> Self {
        Self { read: read(n * candidates), solve: solve(n), product: product() }
    }
}

fn read(len: usize) -> f64 {
    let values = vec![1.0; len.max(1)];
    let seconds = fastest(|| {
        black_box(sum(black_box(&values)));
    });
    8.0 * values.len() as f64 / seconds
}

/// In sixteen partial sums, so that it waits for memory alone.
fn sum(values: &[f64]) -> f64 {
    let (chunks, tail) = values.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for chunk in chunks {
        for j in 0..16 {
            sums[j] += chunk[j];
        }
    }
    sums.iter().chain(tail).sum()
}

fn solve(n: usize) -> f64 {
    let n = n.max(1);
    let lower = Mat::<f64>::from_fn(n, n, |i, j| if i == j { 2.0 } else { 1.0 / n as f64 });
    let mut sides = Mat::<f64>::from_fn(n, COLUMNS, |_, _| 1.0);
    // Each solve takes the last one's result: it halves values at most, and there are few.
    let seconds = fastest(|| {
        solve_lower_triangular_in_place(lower.as_ref(), black_box(sides.as_mut()), Par::Seq);
    });
    (n * n * COLUMNS) as f64 / seconds
}

fn product() -> f64 {
    let a = Mat::<f64>::from_fn(ORDER, ORDER, |i, j| (i + j) as f64);
    let mut out = Mat::<f64>::zeros(ORDER, ORDER);
    let seconds = fastest(|| {
        let (a, out) = (a.as_ref(), black_box(out.as_mut()));
        matmul(out, Accum::Replace, a, a, 1.0, Par::Seq);
    });
    2.0 * (ORDER as f64).powi(3) / seconds
}

/// Seconds of the fastest of several calls.
fn fastest(mut work: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..REPEATS).map(|_| time()).fold(f64::MAX, f64::min)
}
