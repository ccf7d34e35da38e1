//! Random linear scrambles of binary digits.
//!
//! A random lower-triangular matrix over GF(2) and a digital shift (Matousek 1998) leave every
//! point uniform and every elementary interval hit as it should be, like Owen's full scrambling,
//! and cost nothing once the direction numbers are multiplied. All 53 digits of an `f64` are used.

use super::{BITS, PERIOD};
use crate::random::Stream;

/// A lower-triangular matrix over GF(2) with unit diagonal, as columns. Row and column 0 belong
/// to the leading digit.
pub(super) struct Matrix([u64; BITS]);

impl Matrix {
    /// Every entry below the diagonal is a fair coin.
    pub(super) fn random(stream: &mut Stream) -> Self {
        Self(std::array::from_fn(|j| {
            let diagonal = 1 << (BITS - 1 - j);
            diagonal | digits(stream) & (diagonal - 1)
        }))
    }

    pub(super) fn times(&self, digits: u64) -> u64 {
        (0..BITS).filter(|j| digits >> (BITS - 1 - j) & 1 == 1).fold(0, |sum, j| sum ^ self.0[j])
    }
}

/// [`BITS`] fair coins.
pub(super) fn digits(stream: &mut Stream) -> u64 {
    stream.next_u64() % PERIOD
}
