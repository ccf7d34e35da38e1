//! Hostile but legal data: never a panic, never NaN out, and a degraded fit is flagged.
#![allow(clippy::unwrap_used)]

use crate::gp::evidence::{Data, evidence};
use crate::gp::{Factor, Fit, Lengths, Pool, Posterior, Scale, fit};
use crate::random::Stream;
use crate::{Error, Kernel, Points};

/// Everything a study would do with the data: scale, fit, observe, follow with a pool, predict.
fn survive(inputs: &[Vec<f64>], values: &[f64], noise: Option<f64>) -> (Fit, Posterior) {
    let dims = inputs.first().map_or(2, Vec::len);
    let scale = Scale::robust(values).unwrap();
    let mut data = Data::new(dims, scale);
    for (x, y) in inputs.iter().zip(values) {
        data.observe(x, *y, None).unwrap();
    }
    let structure = Kernel::matern52(vec![1.0; dims]).scaled(1.0);
    let fitted =
        fit(&data, &structure, Lengths::default(), None, 1, &mut Stream::new(1, 0)).unwrap();
    let found = evidence(&data, &fitted.hyper).unwrap();
    assert!(found.value.is_finite() && found.gradient.iter().all(|g| g.is_finite()));
    assert!(fitted.log_posterior.is_finite(), "{fitted:?}");

    let noise = noise.unwrap_or(fitted.hyper.noise);
    let kernel = fitted.hyper.kernel.clone();
    let mut posterior = Posterior::new(Factor::new(kernel, dims).unwrap(), vec![scale]);
    let corners = [vec![0.0; dims], vec![0.5; dims], vec![1.0; dims]];
    let mut pool = Pool::new(Points::from_rows(dims, &corners), &posterior);
    for (x, y) in inputs.iter().zip(values) {
        let change = posterior.observe(x, &[*y], noise).unwrap();
        pool.follow(&posterior, &change);
    }
    for (j, x) in corners.iter().chain(inputs.iter().take(3)).enumerate() {
        let gradient = posterior.predict_with_gradient(x).unwrap();
        let numbers = [gradient.belief.mean[0], gradient.belief.deviation[0]];
        let slopes = gradient.mean[0].iter().chain(&gradient.deviation[0]);
        assert!(numbers.iter().chain(slopes).all(|v| v.is_finite()), "{gradient:?}");
        assert!(numbers[1] >= 0.0);
        if j < corners.len() {
            let (mean, unit) = (pool.mean(0)[j], scale.spread.max(numbers[0].abs()));
            assert!((mean / unit - numbers[0] / unit).abs() < 1e-5, "{mean} {}", numbers[0]);
        }
    }
    (fitted, posterior)
}

/// A Halton-like spread of `n` points, so that tests need no randomness.
fn spread(n: usize, dims: usize) -> Vec<Vec<f64>> {
    let step = |d: usize| (2.0 + d as f64).sqrt();
    (1..=n).map(|i| (0..dims).map(|d| (i as f64 * step(d)).fract()).collect()).collect()
}

fn wave(x: &[f64]) -> f64 {
    (5.0 * x[0]).sin() + x.iter().sum::<f64>()
}

#[test]
fn no_one_and_two_points() {
    for n in 0..3 {
        let inputs = spread(n, 2);
        let (fitted, _) =
            survive(&inputs, &inputs.iter().map(|x| wave(x)).collect::<Vec<_>>(), None);
        assert_eq!(fitted.degraded(), None);
    }
}

#[test]
fn all_inputs_equal_and_five_thousand_of_them() {
    for n in [3, 5000] {
        let inputs = vec![vec![0.3, 0.7]; n];
        let values: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
        let (_, posterior) = survive(&inputs, &values, None);
        assert_eq!((posterior.factor().len(), posterior.observations()), (1, n));
        let mean = values.iter().sum::<f64>() / n as f64;
        if n == 5000 {
            assert!((posterior.predict(&[0.3, 0.7]).unwrap().mean[0] - mean).abs() < 0.01);
        }
    }
}

#[test]
fn near_duplicates_and_tiny_noise_are_flagged_when_they_need_jitter() {
    let mut inputs = spread(20, 2);
    for i in 0..20 {
        inputs.push(inputs[i].iter().map(|v| v + 1e-12).collect());
    }
    let values: Vec<f64> = inputs.iter().map(|x| wave(x)).collect();
    let (_, posterior) = survive(&inputs, &values, Some(1e-12));
    assert!(posterior.factor().gain().is_finite());
    // Noise below rounding: the jitter that saves the factor is on record.
    let (_, posterior) = survive(&inputs, &values, Some(1e-17));
    assert!(posterior.factor().jitter() > 0.0);
}

#[test]
fn constant_values_huge_values_tiny_values_and_an_outlier() {
    let inputs = spread(25, 2);
    let shapes: [&dyn Fn(usize, f64) -> f64; 6] = [
        &|_, _| 3.0,
        &|_, w| 1e300 * w,
        &|i, _| if i % 2 == 0 { 1.7e308 } else { -1.7e308 },
        &|_, w| 1e-300 * w,
        &|_, w| 5e-324 * w.round(),
        &|i, w| if i == 9 { 1e15 } else { w },
    ];
    for shape in shapes {
        let values: Vec<f64> = inputs.iter().enumerate().map(|(i, x)| shape(i, wave(x))).collect();
        survive(&inputs, &values, None);
    }
    // Repeats at the far ends of the range: squares of raw differences would overflow.
    survive(&[vec![0.1, 0.2], vec![0.1, 0.2], vec![0.3, 0.4]], &[1e300, -1e300, 5e299], None);
}

#[test]
fn an_outlier_degrades_the_fit_and_says_so() {
    let inputs = spread(25, 2);
    let values: Vec<f64> =
        inputs.iter().enumerate().map(|(i, x)| if i == 9 { 1e15 } else { wave(x) }).collect();
    let (fitted, _) = survive(&inputs, &values, None);
    assert!(fitted.degraded().is_some(), "{fitted:?}");
}

#[test]
fn one_dimension_and_thirty() {
    for dims in [1, 30] {
        let inputs = spread(40, dims);
        let values: Vec<f64> = inputs.iter().map(|x| wave(x)).collect();
        survive(&inputs, &values, None);
    }
}

#[test]
fn a_huge_lengthscale_makes_a_coordinate_irrelevant() {
    let kernel = Kernel::squared_exponential([0.2, 1e300]);
    let mut posterior = Posterior::new(Factor::new(kernel, 2).unwrap(), vec![Scale::default()]);
    for x in spread(30, 2) {
        posterior.observe(&x, &[wave(&x)], 1e-12).unwrap();
    }
    let (low, high) =
        (posterior.predict(&[0.4, 0.0]).unwrap(), posterior.predict(&[0.4, 1.0]).unwrap());
    assert!(low.mean[0].is_finite() && low.deviation[0].is_finite());
    assert_eq!(low, high);
}

#[test]
fn numbers_that_are_not_legal_are_refused_and_change_nothing() {
    let factor = Factor::new(Kernel::matern52([0.3]), 1).unwrap();
    let mut posterior = Posterior::new(factor, vec![Scale::default()]);
    posterior.observe(&[0.5], &[1.0], 0.1).unwrap();
    let before = posterior.predict(&[0.4]).unwrap();
    let kind = |e: Error| e.kind();
    assert_eq!(posterior.observe(&[f64::NAN], &[1.0], 0.1).map_err(kind).err(), Some("NotFinite"));
    assert_eq!(
        posterior.observe(&[0.1], &[f64::INFINITY], 0.1).map_err(kind).err(),
        Some("NotFinite")
    );
    assert_eq!(posterior.observe(&[0.1], &[1.0], 0.0).map_err(kind).err(), Some("InvalidSpec"));
    assert_eq!(
        posterior.observe(&[0.5], &[1.0], f64::NAN).map_err(kind).err(),
        Some("InvalidSpec")
    );
    assert_eq!(
        posterior.observe(&[0.1, 0.2], &[1.0], 0.1).map_err(kind).err(),
        Some("WrongLength")
    );
    assert_eq!(posterior.observe(&[0.1], &[], 0.1).map_err(kind).err(), Some("WrongLength"));
    assert_eq!(posterior.predict(&[]).map_err(kind).err(), Some("WrongLength"));
    assert_eq!(posterior.observe(&[0.5], &[1.0], -1.0).map_err(kind).err(), Some("InvalidSpec"));
    let (factor, two) = (posterior.factor().clone(), Points::from_rows(1, &[[0.1], [0.2]]));
    let short = Posterior::build(factor, vec![Scale::default()], two.view(), &[[1.0]], &[0.1]);
    assert_eq!(short.map_err(kind).err(), Some("WrongLength"));
    assert!(Factor::new(Kernel::matern52([-1.0]), 1).is_err());
    assert!(Scale::robust(&[1.0, f64::NAN]).is_err());
    assert_eq!(posterior.predict(&[0.4]).unwrap(), before);
}
