//! Random streams whose values are ours to keep: one stream for every (seed, round).
//!
//! A replay must draw what the live run drew, on any machine and with any later version, so every
//! sampler here is written out and uses only exact or portable arithmetic.

mod normal;
mod poisson;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub use normal::{normal_cdf, normal_quantile};

/// A deterministic stream of random numbers: ChaCha8 keyed by a seed, with one stream per round.
///
/// ```
/// use rpol::random::Stream;
/// let draw = |seed, round| Stream::new(seed, round).uniform();
/// assert_eq!(draw(7, 0), draw(7, 0));
/// assert_ne!(draw(7, 0), draw(7, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    key: [u64; 4],
    round: u64,
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream of `round` under `seed`.
    #[must_use]
    pub fn new(seed: u64, round: u64) -> Self {
        Self::keyed(expand(seed), round)
    }

    /// A further stream under this one's seed and round, the same however much was drawn before.
    #[must_use]
    pub fn fork(&self, label: u64) -> Self {
        Self::keyed(absorb(absorb(self.key, self.round), label), 0)
    }

    fn keyed(key: [u64; 4], round: u64) -> Self {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(key) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let mut rng = ChaCha8Rng::from_seed(bytes);
        rng.set_stream(round);
        Self { key, round, rng }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Uniform on the multiples of $2^{-53}$ in $[0, 1)$.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Uniform on `[lo, hi)`; `lo` itself when both are equal.
    pub fn uniform_in(&mut self, lo: f64, hi: f64) -> f64 {
        let value = lo + self.uniform() * (hi - lo);
        // Rounding may reach the open end.
        value.min(hi.next_down()).max(lo)
    }

    /// Uniform on `0..n`, without bias.
    ///
    /// Lemire, *Fast random integer generation in an interval*, 2019, algorithm 5.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "below(0): the range is empty");
        let n = n as u64;
        let rejected = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= rejected {
                return (product >> 64) as usize;
            }
        }
    }

    /// Standard normal: [`normal_quantile`] of the midpoint of one of $2^{52}$ equal intervals.
    pub fn normal(&mut self) -> f64 {
        let midpoint = (self.next_u64() >> 12) as f64 + 0.5;
        normal_quantile(midpoint * 2f64.powi(-52))
    }

    /// Poisson with the given mean, exact in distribution.
    ///
    /// # Panics
    /// When `mean` is not in $[0, 10^9]$.
    pub fn poisson(&mut self, mean: f64) -> u64 {
        poisson::sample(self, mean)
    }

    /// Puts `items` into an order chosen uniformly among all (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The increment of splitmix64: $2^{64}$ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Four outputs of splitmix64 started at `seed`.
fn expand(seed: u64) -> [u64; 4] {
    std::array::from_fn(|i| mix(seed.wrapping_add(GOLDEN.wrapping_mul(i as u64 + 1))))
}

/// A key that depends on `key` and `value`; distinct values give distinct keys.
fn absorb(key: [u64; 4], value: u64) -> [u64; 4] {
    let salt = expand(value);
    std::array::from_fn(|i| mix(key[i].wrapping_add(GOLDEN) ^ salt[i]))
}

/// The finalizer of splitmix64 (Steele, Lea and Flood, 2014), a bijection.
fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
