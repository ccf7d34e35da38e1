//! Norms and bounds of functions of known norm.

use rpol_lab::problem::KernelKind::{Matern52, SquaredExponential};
use rpol_lab::problem::{KernelKind, RkhsError, RkhsFunction};

use crate::search::Random;

fn drawn(kind: KernelKind, dims: usize, norm: f64, random: &mut Random) -> RkhsFunction {
    let centres = (0..15).map(|_| (0..dims).map(|_| random.uniform()).collect()).collect();
    let weights = (0..15).map(|_| random.uniform() - 0.5).collect();
    RkhsFunction::new(kind, 0.3, centres, weights, norm).expect("a function")
}

fn every_kind_and_dimension() -> impl Iterator<Item = (KernelKind, usize)> {
    [SquaredExponential, Matern52]
        .into_iter()
        .flat_map(|kind| (1..=6).map(move |dims| (kind, dims)))
}

/// The kernels once more, by their textbook formulas of the distance.
fn textbook(kind: KernelKind, u: f64, x: &[f64], z: &[f64]) -> f64 {
    let r = x.iter().zip(z).fold(0.0_f64, |r, (a, b)| r.hypot(a - b));
    match kind {
        SquaredExponential => f64::exp(-r * r / (2.0 * u * u)),
        Matern52 => {
            (1.0 + 5.0_f64.sqrt() * r / u + 5.0 * r * r / (3.0 * u * u))
                * f64::exp(-(5.0_f64.sqrt()) * r / u)
        }
    }
}

#[test]
fn norm_is_the_quadratic_form_and_as_wanted() {
    let mut random = Random::new(1);
    for (kind, dims) in every_kind_and_dimension() {
        let f = drawn(kind, dims, 2.5, &mut random);
        let mut form = 0.0;
        for (a, z) in f.weights().iter().zip(f.centres()) {
            for (b, y) in f.weights().iter().zip(f.centres()) {
                form += a * b * textbook(kind, f.lengthscale(), z, y);
            }
        }
        assert!(
            (form.sqrt() - 2.5).abs() < 1e-9 && (f.norm() - 2.5).abs() < 1e-9,
            "{kind:?} {dims}: {form}"
        );
    }
}

#[test]
fn values_stay_within_the_norm() {
    let mut random = Random::new(2);
    for (kind, dims) in every_kind_and_dimension() {
        let f = drawn(kind, dims, 0.7, &mut random);
        for _ in 0..5000 {
            let x: Vec<f64> = (0..dims).map(|_| random.uniform()).collect();
            assert!(f.value(&x).abs() <= 0.7 + 1e-12, "{kind:?} {dims}");
        }
    }
}

/// One centre is the extreme case: f = B k(z, .) attains its bound at z.
#[test]
fn a_single_centre_attains_the_bound() {
    for kind in [SquaredExponential, Matern52] {
        let f = RkhsFunction::new(kind, 0.2, vec![vec![0.3, 0.6]], vec![-9.0], 4.0).unwrap();
        assert!((f.value(&[0.3, 0.6]) + 4.0).abs() < 1e-12);
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let new = |u, centres: &[&[f64]], weights: &[f64], norm| {
        let centres = centres.iter().map(|z| z.to_vec()).collect();
        RkhsFunction::new(Matern52, u, centres, weights.to_vec(), norm).unwrap_err()
    };
    assert_eq!(
        new(0.0, &[&[0.1]], &[1.0], 1.0),
        RkhsError::NotPositive { field: "lengthscale", value: 0.0 }
    );
    assert_eq!(
        new(1.0, &[&[0.1]], &[1.0], -1.0),
        RkhsError::NotPositive { field: "norm", value: -1.0 }
    );
    assert_eq!(new(1.0, &[], &[], 1.0), RkhsError::Unpaired { centres: 0, weights: 0 });
    assert_eq!(
        new(1.0, &[&[0.1], &[0.1, 0.2]], &[1.0, 1.0], 1.0),
        RkhsError::Ragged { index: 1, found: 2, wanted: 1 }
    );
    assert_eq!(new(1.0, &[&[0.1], &[0.1]], &[1.0, -1.0], 1.0), RkhsError::Zero);
}
