//! Random streams: pinned values, independence of streams, and the shape of every distribution.

// Helpers of tests may fail like tests.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rpol::random::{Stream, normal_quantile};
use serde_json::Value;

fn golden(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn integer(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn words_equal_an_independent_chacha8() {
    for case in golden(include_str!("golden/random.json")).as_array().unwrap() {
        let mut stream = Stream::new(integer(&case["seed"]), integer(&case["round"]));
        for word in case["words"].as_array().unwrap() {
            assert_eq!(stream.next_u64(), integer(word));
        }
    }
}

#[test]
fn samplers_keep_their_values() {
    let mut stream = Stream::new(2026, 3);
    let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
    stream.shuffle(&mut order);
    assert_eq!(order, [5, 6, 4, 0, 7, 1, 2, 3]);
    assert_eq!(stream.uniform(), 0.8362003011329586);
    assert_eq!(stream.uniform_in(-2.0, 5.0), 0.6745052565203689);
    let normals = [stream.normal(), stream.normal(), stream.normal()];
    assert_eq!(normals, [0.14727113178926804, 0.44628985584078396, 1.724897163558175]);
    let counts = [2.5, 2.5, 40.0, 40.0, 1e6].map(|mean| stream.poisson(mean));
    assert_eq!(counts, [3, 3, 35, 43, 1_000_627]);
    assert_eq!([10, 10, 1_000_000].map(|n| stream.below(n)), [2, 0, 803_403]);
    assert_eq!(stream.fork(9).next_u64(), 17_758_498_401_794_808_183);
}

#[test]
fn normal_quantile_equals_mpmath_and_scipy() {
    let cases = golden(include_str!("golden/special.json"));
    for case in cases["normal_quantile"].as_array().unwrap() {
        let found = normal_quantile(case["p"].as_f64().unwrap());
        for (source, tolerance) in [("exact", 2e-15), ("scipy", 1e-14)] {
            let wanted = case[source].as_f64().unwrap();
            assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{case}: {found}");
        }
    }
}

#[test]
fn normal_quantile_at_the_ends() {
    assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(normal_quantile(1.0), f64::INFINITY);
    for outside in [-1e-300, 1.0 + f64::EPSILON, -2.0, f64::INFINITY, f64::NAN] {
        assert!(normal_quantile(outside).is_nan(), "{outside}");
    }
}

#[test]
fn streams_of_seeds_rounds_and_forks_differ() {
    let mut first = std::collections::HashSet::new();
    for seed in 0..20 {
        for round in 0..20 {
            let stream = Stream::new(seed, round);
            assert!(first.insert(stream.clone().next_u64()));
            for label in 0..20 {
                let fork = stream.fork(label);
                assert!(first.insert(fork.fork(label).next_u64()));
                assert!(first.insert(fork.clone().next_u64()));
            }
        }
    }
}

#[test]
fn fork_does_not_depend_on_what_was_drawn() {
    let mut stream = Stream::new(5, 6);
    let before = stream.fork(1).next_u64();
    stream.normal();
    assert_eq!(stream.fork(1).next_u64(), before);
}

#[test]
fn neighbouring_streams_are_uncorrelated() {
    let n = 20_000;
    let draws = |round| {
        let mut stream = Stream::new(1, round);
        (0..n).map(|_| stream.normal()).collect::<Vec<_>>()
    };
    let dot: f64 = draws(0).iter().zip(draws(1)).map(|(a, b)| a * b).sum();
    assert!(dot.abs() < 4.0 * f64::from(n).sqrt(), "{dot}");
}

/// The Kolmogorov-Smirnov distance between the sorted sample's distribution and `cdf`, times
/// the root of the sample's size. It exceeds 1.95 once in a thousand samples.
fn kolmogorov(mut sample: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let distance = |(i, &x): (usize, &f64)| {
        let p = cdf(x);
        (p - i as f64 / n).max((i + 1) as f64 / n - p)
    };
    sample.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

#[test]
fn uniform_is_uniform() {
    let mut stream = Stream::new(11, 0);
    let sample = (0..50_000).map(|_| stream.uniform()).collect();
    assert!(kolmogorov(sample, |x| x) < 1.95);
}

#[test]
fn normal_is_normal() {
    let mut stream = Stream::new(12, 0);
    let sample: Vec<f64> = (0..50_000).map(|_| stream.normal()).collect();
    let moment = |k| sample.iter().map(|x| x.powi(k)).sum::<f64>() / sample.len() as f64;
    assert!(moment(1).abs() < 0.018, "{}", moment(1));
    assert!((moment(2) - 1.0).abs() < 0.026, "{}", moment(2));
    assert!((moment(4) - 3.0).abs() < 0.18, "{}", moment(4));
    let cdf = |x: f64| 0.5 * libm::erfc(-x / 2f64.sqrt());
    assert!(kolmogorov(sample, cdf) < 1.95);
}

/// Pearson's statistic of observed counts against expected ones, as standard deviations above
/// its mean.
fn chi_square(observed: &[f64], expected: &[f64]) -> f64 {
    let terms = observed.iter().zip(expected).map(|(o, e)| (o - e).powi(2) / e);
    let freedom = (observed.len() - 1) as f64;
    (terms.sum::<f64>() - freedom) / (2.0 * freedom).sqrt()
}

fn poisson_masses(mean: f64, cells: usize) -> Vec<f64> {
    let log_mass = |k: f64| k * mean.ln() - mean - libm::lgamma(k + 1.0);
    let mut masses: Vec<f64> = (0..cells - 1).map(|k| log_mass(k as f64).exp()).collect();
    masses.push(1.0 - masses.iter().sum::<f64>());
    masses
}

#[test]
fn poisson_has_the_poisson_masses() {
    let n = 200_000;
    for (mean, cells) in [(0.3, 5), (3.0, 12), (9.9, 25), (10.0, 25), (35.0, 62)] {
        let mut stream = Stream::new(13, 0);
        let mut observed = vec![0.0; cells];
        for _ in 0..n {
            observed[(stream.poisson(mean) as usize).min(cells - 1)] += 1.0;
        }
        let expected: Vec<f64> =
            poisson_masses(mean, cells).iter().map(|p| p * f64::from(n)).collect();
        // Cells in the low tail of a large mean are nearly empty: leave them out.
        let start = expected.iter().position(|&e| e > 10.0).unwrap();
        let z = chi_square(&observed[start..], &expected[start..]);
        assert!(z < 4.0, "mean {mean}: {z}");
    }
}

#[test]
fn poisson_of_a_large_mean_has_its_moments() {
    let (mean, n) = (1e6, 20_000);
    let mut stream = Stream::new(14, 0);
    let scaled = |k: u64| (k as f64 - mean) / mean.sqrt();
    let sample: Vec<f64> = (0..n).map(|_| scaled(stream.poisson(mean))).collect();
    let moment = |k| sample.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
    assert!(moment(1).abs() < 0.03, "{}", moment(1));
    assert!((moment(2) - 1.0).abs() < 0.04, "{}", moment(2));
}

#[test]
fn poisson_of_mean_zero_is_zero() {
    let mut stream = Stream::new(15, 0);
    assert!((0..100).all(|_| stream.poisson(0.0) == 0));
}

#[test]
#[should_panic(expected = "the mean must be in")]
fn poisson_refuses_nan() {
    Stream::new(0, 0).poisson(f64::NAN);
}

#[test]
fn shuffle_reaches_every_order_equally() {
    let mut stream = Stream::new(16, 0);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut items = [0, 1, 2, 3];
        stream.shuffle(&mut items);
        *counts.entry(items).or_insert(0.0) += 1.0;
    }
    let observed: Vec<f64> = counts.into_values().collect();
    assert_eq!(observed.len(), 24);
    assert!(chi_square(&observed, &[1000.0; 24]) < 4.0);
}

proptest! {
    #[test]
    fn below_stays_below(seed: u64, n in 1..=usize::MAX) {
        prop_assert!(Stream::new(seed, 0).below(n) < n);
    }

    #[test]
    fn uniform_in_stays_inside(seed: u64, lo in -1e3..1e3, width in 1e-12..1e3) {
        let x = Stream::new(seed, 0).uniform_in(lo, lo + width);
        prop_assert!(lo <= x && (x < lo + width || x == lo));
    }
}
