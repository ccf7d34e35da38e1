//! The linear algebra under the Gaussian process: a triangular factor that grows, shrinks and is
//! re-weighted in place, and *riders*, columns $L^{-1}B$ that follow it at $O(n)$ a column.
//!
//! Cost of one change at $n$ points with $m$ riding columns, in flops and bytes touched:
//!
//! | change | factor | riders |
//! |---|---|---|
//! | push | $n^2$, reads $4n^2$ B | $2nm$, reads $8nm$ B |
//! | remove, reweight | $3n^2$, reads and writes $4n^2$ B | $6nm$, reads and writes $8nm$ B |
//! | rebuild | $n^3/3$ | $n^2 m$ |

mod blocked;
mod cholesky;
#[cfg(test)]
mod laws;
mod product;
mod riders;
mod vector;

pub(crate) use cholesky::{Cholesky, Step};
pub(crate) use riders::{Followed, Riders};
pub(crate) use vector::{add_combination, add_scaled, dot, subtract_squares};
