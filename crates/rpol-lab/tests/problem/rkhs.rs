//! Norms, bounds and gradients of drawn functions, and the optima of drawn pairs.

use rpol_lab::problem::KernelKind::{Matern52, SquaredExponential};
use rpol_lab::problem::{KernelKind, RkhsError, RkhsFunction, RkhsProblem, RkhsSpec};

use crate::kkt::Kkt;
use crate::search::{Random, best};

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
        assert_eq!(f.gradient(&[0.3, 0.6]), [0.0, 0.0]);
    }
}

#[test]
fn gradients_agree_with_differences() {
    let mut random = Random::new(3);
    for (kind, dims) in every_kind_and_dimension() {
        let f = drawn(kind, dims, 1.0, &mut random);
        let x: Vec<f64> = (0..dims).map(|_| random.uniform()).collect();
        for (i, slope) in f.gradient(&x).into_iter().enumerate() {
            let at = |h: f64| {
                let mut moved = x.clone();
                moved[i] += h;
                f.value(&moved)
            };
            assert!((slope - (at(1e-5) - at(-1e-5)) / 2e-5).abs() < 1e-8, "{kind:?} {dims}");
        }
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

#[test]
fn drawn_pairs_have_the_optimum_they_state() {
    for (kind, dims) in every_kind_and_dimension() {
        let mut random = Random::new(40 + dims as u64);
        let spec = RkhsSpec {
            norm_f: 2.0,
            norm_g: 1.5,
            ..RkhsSpec::new(kind, 0.25 + 0.05 * dims as f64, dims)
        };
        let pair = RkhsProblem::draw(|| random.uniform(), &spec).unwrap();
        let problem = pair.problem("drawn");
        assert!(spec.feasible.contains(&pair.feasible), "{kind:?} {dims}: {}", pair.feasible);
        assert!(
            (pair.f.norm() - 2.0).abs() < 1e-9 && (pair.g.norm() - 1.5).abs() < 1e-9,
            "{kind:?} {dims}"
        );
        assert_eq!(pair.optimum.active, [0], "{kind:?} {dims}");
        assert!(pair.g.value(&pair.optimum.x) <= 1e-9, "{kind:?} {dims}");
        let (_, found) = best(&problem, 3);
        let gap = pair.optimum.value - found.value;
        assert!(found.violation == 0.0 && gap.abs() < 1e-7, "{kind:?} {dims}: {gap:e}");
        let breach = Kkt::new(&problem, &pair.optimum.x).breach(&pair.optimum.x);
        assert!(breach < 1e-6, "{kind:?} {dims}: {breach:e}");
    }
}

#[test]
fn the_same_uniforms_draw_the_same_pair() {
    let spec = RkhsSpec { binding: false, ..RkhsSpec::new(Matern52, 0.3, 2) };
    let [a, b] = [(), ()].map(|()| {
        let mut random = Random::new(8);
        RkhsProblem::draw(|| random.uniform(), &spec).unwrap()
    });
    assert_eq!(a, b);
}

#[test]
fn an_impossible_wish_is_an_error() {
    let spec = RkhsSpec { feasible: 2.0..=3.0, ..RkhsSpec::new(SquaredExponential, 0.3, 1) };
    let mut random = Random::new(9);
    assert_eq!(
        RkhsProblem::draw(|| random.uniform(), &spec),
        Err(RkhsError::NoDraw { attempts: 1000 })
    );
}
