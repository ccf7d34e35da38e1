//! The least that each part of an ask must spend, however it is programmed.
//!
//! With $n$ points in each of $G$ factors, $m$ candidates, $q$ outputs, $d$ coordinates and $E$ expansions:
//!
//! | part | flops | bytes |
//! |---|---|---|
//! | update | $G(n^2 + 2nm)$: one triangular solve, one more row of the pool | $G(4n^2 + 8nm)$: $L$ and the pool's rows once |
//! | score | none worth the name | $16qm$: mean and deviation of every candidate |
//! | polish | $GE(d+1)n^2$: value and gradient are $d + 1$ right-hand sides | $4Gn^2\lceil E/8\rceil$: $L$ once a batch of 8 |
//!
//! One right-hand side of a triangular solve is $n^2/2$ multiply-adds, that is $n^2$ flops, and $L$ has $n^2/2$ entries
//! of 8 bytes. Watching, forecasts and books are linear at most: their floor is 0.

use super::machine::Machine;
use serde::Serialize;

/// Expansions that one pass over $L$ is taken to serve: a decision that needs more has to look again.
const BATCH: u64 = 8;

/// How large the work of an ask was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Size {
    /// $n$: distinct points in a factor.
    pub points: usize,
    /// $m$: candidates of the pool.
    pub candidates: usize,
    /// $G$: factors.
    pub factors: usize,
    /// $q$: outputs.
    pub outputs: usize,
    /// $d$: coordinates.
    pub dims: usize,
    /// $E$: points expanded by local searches.
    pub expansions: u64,
}

/// What must be computed and what must be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Work {
    /// Additions and multiplications.
    pub flops: f64,
    /// Bytes from memory.
    pub bytes: f64,
}

impl Work {
    /// Milliseconds on a machine that does both at once: the longer of the two.
    ///
    /// ```
    /// use rpol_lab::bench::{Machine, Work};
    /// let machine = Machine { read: 1e9, solve: 1e10, product: 1e10 };
    /// assert_eq!(Work { flops: 1e7, bytes: 4e6 }.ms(&machine), 4.0);
    /// assert_eq!(Work { flops: 1e8, bytes: 4e6 }.ms(&machine), 10.0);
    /// ```
    pub fn ms(&self, machine: &Machine) -> f64 {
        1e3 * (self.flops / machine.solve).max(self.bytes / machine.read)
    }
}

impl Size {
    /// Of one more observation in every factor and its pool.
    pub fn update(&self) -> Work {
        let (n, m, g) = (self.points as f64, self.candidates as f64, self.factors as f64);
        Work { flops: g * (n * n + 2.0 * n * m), bytes: g * (4.0 * n * n + 8.0 * n * m) }
    }

    /// Of a look at every candidate.
    pub fn score(&self) -> Work {
        Work { flops: 0.0, bytes: 16.0 * (self.outputs * self.candidates) as f64 }
    }

    /// Of the local searches.
    ///
    /// ```
    /// use rpol_lab::bench::Size;
    /// let size = Size { points: 10, candidates: 0, factors: 2, outputs: 2, dims: 3, expansions: 9 };
    /// let work = size.polish();
    /// assert_eq!((work.flops, work.bytes), (2.0 * 9.0 * 4.0 * 100.0, 2.0 * 400.0 * 2.0));
    /// ```
    pub fn polish(&self) -> Work {
        let (n, g) = (self.points as f64, self.factors as f64);
        let sides = self.expansions as f64 * (self.dims + 1) as f64;
        let batches = self.expansions.div_ceil(BATCH) as f64;
        Work { flops: g * sides * n * n, bytes: g * 4.0 * n * n * batches }
    }
}
