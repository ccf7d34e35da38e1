//! Poisson numbers: products of uniforms for small means, transformed rejection for large ones.

use super::Stream;

/// Above it the logarithms compared in the rejection step cancel too many digits.
const LARGEST_MEAN: f64 = 1e9;

/// The rejection constants of Hörmann hold from here on.
const SMALLEST_REJECTION_MEAN: f64 = 10.0;

pub(super) fn sample(stream: &mut Stream, mean: f64) -> u64 {
    assert!((0.0..=LARGEST_MEAN).contains(&mean), "poisson({mean}): the mean must be in [0, 1e9]");
    if mean < SMALLEST_REJECTION_MEAN {
        by_product(stream, mean)
    } else {
        by_rejection(stream, mean)
    }
}

/// Counts the arrivals of a unit-rate process before `mean` (Knuth).
fn by_product(stream: &mut Stream, mean: f64) -> u64 {
    let limit = libm::exp(-mean);
    let mut product = 1.0 - stream.uniform();
    let mut count = 0;
    while product > limit {
        product *= 1.0 - stream.uniform();
        count += 1;
    }
    count
}

/// Algorithm PTRS of Hörmann, *The transformed rejection method for generating Poisson random
/// variables*, 1993; letters as there.
fn by_rejection(stream: &mut Stream, mean: f64) -> u64 {
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = stream.uniform() - 0.5;
        let v = stream.uniform();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= v_r {
            return k as u64;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        if libm::log(v * inverse_alpha / (a / (us * us) + b)) <= log_mass(k, mean) {
            return k as u64;
        }
    }
}

/// $\ln(e^{-m} m^k / k!)$.
fn log_mass(k: f64, mean: f64) -> f64 {
    k * libm::log(mean) - mean - libm::lgamma(k + 1.0)
}
