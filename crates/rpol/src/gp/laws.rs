//! Laws of the posterior, the pool, the gain and the evidence, by property test.
#![allow(clippy::unwrap_used)]

use super::posterior::BATCH;
use crate::gp::evidence::{Data, Evidence, Hyper, evidence};
use crate::gp::{Factor, Lengths, Pool, Posterior, Scale, fit, greedy_gain};
use crate::random::Stream;
use crate::{Kernel, Points};
use proptest::prelude::*;

type Seen = ([f64; 2], f64, f64);

/// Inputs on a coarse grid, so that some repeat; a value and a noise variance each.
fn observations(most: usize) -> impl Strategy<Value = Vec<Seen>> {
    let one = (0u8..12, 0u8..12, -2.0..2.0f64, 0.01..0.5f64);
    let place = |(a, b, y, v)| ([f64::from(a) / 11.0, f64::from(b) / 11.0], y, v);
    prop::collection::vec(one.prop_map(place), 1..most)
}

fn kernels() -> impl Strategy<Value = Kernel> {
    let lengths = || prop::array::uniform2(0.1..1.5f64);
    prop_oneof![
        lengths().prop_map(Kernel::squared_exponential),
        lengths().prop_map(Kernel::matern12),
        lengths().prop_map(Kernel::matern32),
        (lengths(), 0.2..4.0f64).prop_map(|(l, v)| Kernel::matern52(l).scaled(v)),
        (lengths(), 0.5..3.0f64).prop_map(|(l, a)| Kernel::rational_quadratic(a, l)),
        (lengths(), lengths())
            .prop_map(|(l, m)| Kernel::squared_exponential(l) + Kernel::linear(0.3, m)),
        (lengths(), 0.2..2.0f64)
            .prop_map(|(l, h)| Kernel::matern52([l[0]]).on([0]) * Kernel::hamming([h]).on([1])),
    ]
}

fn empty(kernel: &Kernel) -> Factor {
    Factor::new(kernel.clone(), 2).unwrap()
}

fn observed(kernel: &Kernel, seen: &[Seen], scale: Scale) -> Posterior {
    let mut posterior = Posterior::new(empty(kernel), vec![scale]);
    for (x, y, noise) in seen {
        posterior.observe(x, &[*y], *noise).unwrap();
    }
    posterior
}

const PROBES: [[f64; 2]; 4] = [[0.13, 0.77], [0.5, 0.5], [0.0, 1.0], [6.0 / 11.0, 3.0 / 11.0]];

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Variances, not deviations: near zero a deviation magnifies rounding beyond all bounds.
fn same_beliefs(a: &Posterior, b: &Posterior) -> Result<(), TestCaseError> {
    for x in &PROBES {
        let (a, b) = (a.predict(x).unwrap(), b.predict(x).unwrap());
        for q in 0..a.mean.len() {
            prop_assert!(close(a.mean[q], b.mean[q], 1e-8), "{} {}", a.mean[q], b.mean[q]);
            prop_assert!(close(a.deviation[q].powi(2), b.deviation[q].powi(2), 1e-8));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..Default::default() })]

    #[test]
    fn sigma_never_grows_when_a_point_is_added(kernel in kernels(), seen in observations(20)) {
        let mut factor = empty(&kernel);
        let mut before: Vec<f64> = PROBES.iter().map(|x| factor.deviation(x).powi(2)).collect();
        for (x, _, noise) in &seen {
            factor.push(x, *noise).unwrap();
            for (x, before) in PROBES.iter().zip(&mut before) {
                let now = factor.deviation(x).powi(2);
                prop_assert!(now <= *before + 1e-12);
                *before = now;
            }
        }
    }

    #[test]
    fn merged_repeats_equal_unmerged_ones(kernel in kernels(), seen in observations(24)) {
        let merged = observed(&kernel, &seen, Scale::default());
        // The unmerged truth: every repeat its own row of the plain factor, targets solved by hand.
        let inputs = Points::from_rows(2, &seen.iter().map(|s| s.0).collect::<Vec<_>>());
        let noise = seen.iter().map(|s| s.2).collect();
        let plain = Factor::build(kernel.clone(), inputs, noise).unwrap();
        let mut z: Vec<f64> = seen.iter().map(|s| s.1).collect();
        plain.cholesky().solve(&mut z);
        prop_assert!(close(merged.factor().gain(), plain.gain(), 1e-8));
        for x in &PROBES {
            let v = plain.whiten(x);
            let mean: f64 = v.iter().zip(&z).map(|(v, z)| v * z).sum();
            let belief = merged.predict(x).unwrap();
            prop_assert!(close(belief.mean[0], mean, 1e-8));
            prop_assert!(close(belief.deviation[0].powi(2), plain.deviation(x).powi(2), 1e-8));
        }
    }

    #[test]
    fn merged_evidence_equals_unmerged(kernel in kernels(), seen in observations(24)) {
        for known in [false, true] {
            // A shift far below the lengthscale keeps repeats apart without changing their covariance.
            let (mut merged, mut apart) = (Data::new(2, Scale::default()), Data::new(2, Scale::default()));
            for (s, (x, y, noise)) in seen.iter().enumerate() {
                let variance = known.then_some(*noise);
                merged.observe(x, *y, variance).unwrap();
                let hamming = kernel.param_names()[0].starts_with("factors");
                let shift = if hamming { [s as f64 * 1e-13, 0.0] } else { [s as f64 * 1e-13; 2] };
                apart.observe(&[x[0] + shift[0], x[1] + shift[1]], *y, variance).unwrap();
            }
            let hyper = Hyper { kernel: kernel.clone(), noise: 0.07, mean: 0.2 };
            let (a, b) = (evidence(&merged, &hyper).unwrap(), evidence(&apart, &hyper).unwrap());
            prop_assert!(apart.len() >= merged.len());
            prop_assert!(close(a.value, b.value, 1e-7), "{} {}", a.value, b.value);
            for (a, b) in a.gradient.iter().zip(&b.gradient) {
                prop_assert!(close(*a, *b, 1e-6), "{a} {b}");
            }
        }
    }

    #[test]
    fn forgetting_equals_never_having_seen(
        kernel in kernels(), seen in observations(20), later in observations(20)
    ) {
        let mut posterior = observed(&kernel, &seen, Scale::default());
        for (x, y, noise) in &later {
            posterior.observe(x, &[*y], *noise).unwrap();
        }
        for (x, y, noise) in &seen {
            prop_assert!(posterior.forget(x, &[*y], *noise).unwrap().is_some());
        }
        prop_assert_eq!(posterior.observations(), later.len());
        prop_assert!(posterior.forget(&[0.333, 0.1], &[1.0], 0.1).unwrap().is_none());
        same_beliefs(&posterior, &observed(&kernel, &later, Scale::default()))?;
    }

    #[test]
    fn correcting_equals_observing_the_right_value(
        kernel in kernels(), seen in observations(16), right in -2.0..2.0f64
    ) {
        let mut corrected = observed(&kernel, &seen, Scale::default());
        let (x, y, noise) = seen[0];
        prop_assert!(corrected.correct(&x, &[y], noise, &[right]).unwrap());
        let mut truth = seen.clone();
        truth[0].1 = right;
        same_beliefs(&corrected, &observed(&kernel, &truth, Scale::default()))?;
    }

    #[test]
    fn several_outputs_on_one_factor_equal_separate_factors(
        kernel in kernels(), seen in observations(20)
    ) {
        let scales = vec![Scale::default(), Scale { centre: 3.0, spread: 2.0 }];
        let second = |s: &Seen| 2.0 - s.1 * s.0[0];
        let mut both = Posterior::new(empty(&kernel), scales.clone());
        let mut alone = Posterior::new(empty(&kernel), vec![scales[1]]);
        for s in &seen {
            both.observe(&s.0, &[s.1, second(s)], s.2).unwrap();
            alone.observe(&s.0, &[second(s)], s.2).unwrap();
        }
        for x in &PROBES {
            let (a, b) = (both.predict(x).unwrap(), alone.predict(x).unwrap());
            prop_assert!(close(a.mean[1], b.mean[0], 1e-12));
            prop_assert!(close(a.deviation[1], b.deviation[0], 1e-12));
        }
    }

    #[test]
    fn the_pool_follows_every_change(
        kernel in kernels(), seen in observations(30), keep in 0usize..10
    ) {
        let scales = vec![Scale::default(), Scale { centre: -1.0, spread: 3.0 }];
        let mut posterior = Posterior::new(empty(&kernel), scales);
        let mut pool = Pool::new(Points::from_rows(2, &PROBES), &posterior);
        for (t, (x, y, noise)) in seen.iter().enumerate() {
            let change = posterior.observe(x, &[*y, -y], *noise).unwrap();
            pool.follow(&posterior, &change);
            if t == 3 {
                // A correction that nobody told the pool of shows with the next observation.
                posterior.correct(x, &[*y, -y], *noise, &[1.5, 0.5]).unwrap();
                let change = posterior.observe(&[0.21, 0.34], &[0.1, 0.2], 0.3).unwrap();
                pool.follow(&posterior, &change);
                posterior.correct(x, &[1.5, 0.5], *noise, &[*y, -y]).unwrap();
                pool.retarget(&posterior);
            }
            if t > keep {
                let (x, y, noise) = seen[t - keep - 1];
                let change = posterior.forget(&x, &[y, -y], noise).unwrap().unwrap();
                pool.follow(&posterior, &change);
            }
        }
        for (j, x) in PROBES.iter().enumerate() {
            let belief = posterior.predict(x).unwrap();
            // The covariance of a candidate with itself is its variance.
            let variance = pool.covariances(&posterior, x)[j];
            prop_assert!(close(variance, belief.deviation[0].powi(2), 1e-8));
            for q in 0..2 {
                prop_assert!(close(pool.mean(q)[j], belief.mean[q], 1e-8));
                let variances = (pool.deviation(q)[j].powi(2), belief.deviation[q].powi(2));
                prop_assert!(close(variances.0, variances.1, 1e-8));
            }
        }
    }

    #[test]
    fn gradients_in_x_equal_finite_differences(kernel in kernels(), seen in observations(12)) {
        let posterior = observed(&kernel, &seen, Scale { centre: 0.5, spread: 2.0 });
        // Off the data's own coordinates: a Hamming factor jumps there, a Matern 1/2 has a kink.
        let smooth = if kernel.param_names()[0].starts_with("factors") { 1 } else { 2 };
        for x in &PROBES[..2] {
            let gradient = posterior.predict_with_gradient(x).unwrap();
            for d in 0..smooth {
                let at = |step: f64| {
                    let mut moved = *x;
                    moved[d] += step;
                    posterior.predict(&moved).unwrap()
                };
                let (up, down) = (at(1e-5), at(-1e-5));
                let mean = (up.mean[0] - down.mean[0]) / 2e-5;
                let deviation = (up.deviation[0] - down.deviation[0]) / 2e-5;
                prop_assert!(close(gradient.mean[0][d], mean, 1e-5));
                prop_assert!(close(gradient.deviation[0][d], deviation, 1e-4));
            }
        }
    }

    #[test]
    fn evidence_gradient_equals_finite_differences(kernel in kernels(), seen in observations(16)) {
        use crate::kernel::Covariance;
        let mut data = Data::new(2, Scale { centre: 0.1, spread: 1.5 });
        for (s, (x, y, noise)) in seen.iter().enumerate() {
            data.observe(x, *y, (s % 3 == 0).then_some(*noise)).unwrap();
        }
        let mut at = Vec::new();
        kernel.log_params(&mut at);
        at.extend([0.05f64.ln(), 0.3]);
        let value = |at: &[f64]| -> Evidence {
            let mut kernel = kernel.clone();
            let rest = kernel.set_log_params(at);
            evidence(&data, &Hyper { kernel, noise: rest[0].exp(), mean: rest[1] }).unwrap()
        };
        let gradient = value(&at).gradient;
        for p in 0..at.len() {
            let moved = |step: f64| {
                let mut at = at.clone();
                at[p] += step;
                value(&at).value
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            prop_assert!(close(gradient[p], slope, 1e-5), "{p}: {} {slope}", gradient[p]);
        }
    }

    #[test]
    fn greedy_gain_is_the_realised_gain_of_its_choice_and_beats_others(
        kernel in kernels(), points in prop::collection::vec(prop::array::uniform2(0.0..1.0f64), 1..12)
    ) {
        let points = Points::from_rows(2, &points);
        let gain = greedy_gain(&kernel, 0.2, points.view(), points.len());
        prop_assert_eq!(gain.len(), points.len());
        // Taking every point once is one of the choices: greedy is within 1 - 1/e of the best.
        let all = Factor::build(kernel.clone(), points.clone(), vec![0.2; points.len()]).unwrap().gain();
        prop_assert!(*gain.last().unwrap() >= (1.0 - (-1f64).exp()) * all - 1e-9);
        // And it is the realised gain of what it chose: the first two, found by brute force.
        let single: Vec<f64> = (0..points.len()).map(|i| kernel.value(&points.point(i), &points.point(i))).collect();
        let most = single.iter().fold(0f64, |m, v| m.max(*v));
        prop_assert!(close(gain[0], 0.5 * (1.0 + most / 0.2).ln(), 1e-10));
    }

    #[test]
    fn the_fit_is_never_worse_than_the_prior_mode_or_the_warm_start(
        seen in observations(20), seed in 0u64..100
    ) {
        let mut data = Data::new(2, Scale::default());
        seen.iter().for_each(|(x, y, _)| data.observe(x, *y, None).unwrap());
        let kernel = Kernel::matern52([1.0, 1.0]).scaled(1.0);
        let cold = fit(&data, &kernel, Lengths::default(), None, 0, &mut Stream::new(seed, 0)).unwrap();
        let more = fit(&data, &kernel, Lengths::default(), None, 2, &mut Stream::new(seed, 0)).unwrap();
        let warm = fit(&data, &kernel, Lengths::default(), Some(&more.hyper), 0, &mut Stream::new(seed, 1)).unwrap();
        prop_assert!(more.log_posterior >= cold.log_posterior);
        prop_assert!(warm.log_posterior >= more.log_posterior - 1e-9);
    }
}

#[test]
fn a_grown_factor_stays_near_what_it_stands_for() {
    let mut factor = Factor::new(Kernel::matern52([0.3]), 1).unwrap();
    (0..20).for_each(|i| drop(factor.push(&[f64::from(i) / 20.0], 0.1).unwrap()));
    assert!(factor.rounding() < 1e-14);
}

#[test]
fn what_is_said_of_a_point_does_not_depend_on_the_batches_before_it() {
    let mut stream = Stream::new(1, 0);
    let mut rows = |count: usize| -> Vec<[f64; 2]> {
        (0..count).map(|_| [stream.uniform(), stream.uniform()]).collect()
    };
    let factor = Factor::new(Kernel::matern52([0.3, 0.7]), 2).unwrap();
    let mut posterior = Posterior::new(factor, vec![Scale::default()]);
    for x in rows(40) {
        posterior.observe(&x, &[x[0] - x[1]], 0.01).unwrap();
    }
    for count in [1, 7, 8, BATCH, BATCH + 1, BATCH + 9, 2 * BATCH + 3] {
        let points = Points::from_rows(2, &rows(count));
        let whole = posterior.predict_many(points.view());
        let mut parts = (vec![Vec::new()], vec![Vec::new()]);
        for start in (0..count).step_by(BATCH) {
            let part = points.view().range(start..count.min(start + BATCH));
            let (means, deviations) = posterior.predict_many(part);
            parts.0[0].extend(&means[0]);
            parts.1[0].extend(&deviations[0]);
        }
        assert_eq!(whole, parts, "{count}");
        assert_eq!(whole.1[0], posterior.sigma_many(points.view()), "{count}");
    }
}
