//! Laws of the growing factor and its riders, on random positive definite matrices.
#![allow(clippy::unwrap_used)]

use crate::linalg::{Cholesky, Followed, Riders};
use proptest::prelude::*;

/// A symmetric matrix and right-hand sides that gain and lose rows: the plain, slow truth.
#[derive(Debug, Clone, Default)]
struct Plain {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
}

impl Plain {
    fn build(&self) -> Cholesky {
        Cholesky::build(self.a.len(), |out, stride| {
            for (j, row) in self.a.iter().enumerate() {
                out[j * stride..j * stride + row.len()].copy_from_slice(row);
            }
        })
        .unwrap()
    }

    /// The largest `|L L^T - A|` and `|L M - B|`.
    fn residuals(&self, l: &Cholesky, m: &Riders) -> (f64, f64) {
        let n = self.a.len();
        let (mut factor, mut riders) = (0f64, 0f64);
        for i in 0..n {
            for j in 0..=i {
                let product: f64 = (0..=j).map(|k| l.get(i, k) * l.get(j, k)).sum();
                factor = factor.max((product - self.a[i][j]).abs());
            }
            for j in 0..m.width() {
                let product: f64 = (0..=i).map(|k| l.get(i, k) * m.get(k, j)).sum();
                riders = riders.max((product - self.b[i][j]).abs());
            }
        }
        (factor, riders)
    }

    fn solve(&self, l: &Cholesky, width: usize) -> Riders {
        Riders::solve(l, width, |i, columns, out| out.copy_from_slice(&self.b[i][columns]))
    }
}

/// Points on a line with a squared-exponential covariance: realistic, badly conditioned.
fn covariance(x: f64, y: f64) -> f64 {
    (-(x - y).powi(2) * 8.0).exp()
}

#[derive(Debug, Clone)]
enum Change {
    Push(f64, f64),
    Remove(f64),
    Reweight(f64, f64),
}

fn changes(most: usize) -> impl Strategy<Value = Vec<Change>> {
    let noise = 1e-6f64..1.0;
    let change = prop_oneof![
        4 => (0.0..4.0f64, noise.clone()).prop_map(|(x, v)| Change::Push(x, v)),
        1 => (0.0..1.0f64).prop_map(Change::Remove),
        2 => (0.0..1.0f64, noise).prop_map(|(i, v)| Change::Reweight(i, v)),
    ];
    prop::collection::vec(change, 1..most)
}

const CANDIDATES: [f64; 5] = [0.1, 1.0, 1.7, 2.9, 3.6];

/// Plays the changes on the incremental factor and on the plain matrices side by side.
struct Play {
    points: Vec<(f64, f64)>,
    l: Cholesky,
    m: Riders,
    norms: Vec<f64>,
}

impl Play {
    fn new() -> Self {
        let l = Cholesky::default();
        let m = Riders::solve(&l, CANDIDATES.len(), |_, _, _| ());
        Self { points: Vec::new(), l, m, norms: vec![0.0; CANDIDATES.len()] }
    }

    fn plain(&self) -> Plain {
        let covariances = |&(x, noise): &(f64, f64)| {
            let row = self.points.iter().map(|p| covariance(x, p.0));
            row.map(|k| if k == 1.0 { k + noise } else { k }).collect()
        };
        let b = |&(x, _): &(f64, f64)| CANDIDATES.iter().map(|c| covariance(x, *c)).collect();
        Plain {
            a: self.points.iter().map(covariances).collect(),
            b: self.points.iter().map(b).collect(),
        }
    }

    fn apply(&mut self, change: &Change) {
        let mut pushed = Vec::new();
        let step = match change {
            Change::Push(x, noise) => {
                let row: Vec<f64> = self.points.iter().map(|p| covariance(*x, p.0)).collect();
                pushed = CANDIDATES.iter().map(|c| covariance(*x, *c)).collect();
                self.points.push((*x, *noise));
                self.l.push(row, 1.0 + noise).unwrap()
            }
            _ if self.points.is_empty() => return,
            Change::Remove(i) => {
                let i = (i * self.points.len() as f64) as usize;
                self.points.remove(i);
                self.l.remove(i)
            }
            Change::Reweight(i, noise) => {
                let i = (i * self.points.len() as f64) as usize;
                let old = std::mem::replace(&mut self.points[i].1, *noise);
                self.l.reweight(i, noise - old).unwrap()
            }
        };
        match self.m.follow(&step, &pushed).unwrap() {
            Followed::Appended(row) => {
                self.norms.iter_mut().zip(row).for_each(|(n, r)| *n += r * r);
            }
            Followed::Rotated(change) => {
                self.norms.iter_mut().zip(change).for_each(|(n, c)| *n += c);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..Default::default() })]

    /// push = refactor, remove = never pushed, reweight = rebuilt, riders = solved anew.
    #[test]
    fn every_change_equals_building_anew(changes in changes(60)) {
        let mut play = Play::new();
        for change in &changes {
            play.apply(change);
        }
        let plain = play.plain();
        let (l, n) = (plain.build(), plain.a.len());
        let m = plain.solve(&l, CANDIDATES.len());
        prop_assert_eq!((play.l.len(), play.m.len()), (n, n));
        for i in 0..n {
            for j in 0..=i {
                prop_assert!((play.l.get(i, j) - l.get(i, j)).abs() < 1e-8);
            }
            for j in 0..CANDIDATES.len() {
                prop_assert!((play.m.get(i, j) - m.get(i, j)).abs() < 1e-6);
            }
        }
        for (tracked, norm) in play.norms.iter().zip(m.squared_norms()) {
            prop_assert!((tracked - norm).abs() < 1e-8);
        }
        let (factor, riders) = plain.residuals(&play.l, &play.m);
        prop_assert!(factor < 1e-12 && riders < 1e-12, "{factor:e} {riders:e}");
        prop_assert!((play.l.log_det() - l.log_det()).abs() < 1e-7);
    }

    #[test]
    fn solves_and_inverse_undo_the_matrix(changes in changes(30), seed in 0u64..1000) {
        let mut play = Play::new();
        changes.iter().for_each(|change| play.apply(change));
        let n = play.l.len();
        let x: Vec<f64> = (0..n).map(|i| ((i as u64 * 37 + seed) % 11) as f64 - 5.0).collect();
        let mut solved = play.l.multiply(&x);
        play.l.solve(&mut solved);
        play.l.solve_transposed(&mut solved);
        let inverse = play.l.inverse();
        let b = play.l.multiply(&x);
        for i in 0..n {
            prop_assert!((solved[i] - x[i]).abs() < 1e-6);
            let entry = |j: usize| inverse[i.min(j) * n + i.max(j)];
            let product: f64 = (0..n).map(|j| entry(j) * b[j]).sum();
            prop_assert!((product - x[i]).abs() < 1e-5);
        }
    }
}

/// 5,000 random operations at n up to 400: the residual stays at rounding level.
#[test]
fn five_thousand_operations_leave_no_drift() {
    let mut play = Play::new();
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..5000 {
        let n = play.points.len();
        let (kind, x, noise) = (next(), 40.0 * next(), 10f64.powf(-6.0 * next()));
        let change = match kind {
            k if n < 20 || (k < 0.4 && n < 400) => Change::Push(x, noise),
            k if k < 0.7 => Change::Remove(next()),
            _ => Change::Reweight(next(), noise),
        };
        play.apply(&change);
    }
    let (factor, riders) = play.plain().residuals(&play.l, &play.m);
    println!("n = {}, |LL' - A| = {factor:e}, |LM - B| = {riders:e}", play.points.len());
    assert!(factor <= 1e-10 && riders <= 1e-10);
    assert!(play.l.jitter().iter().all(|j| *j == 0.0));
}

#[test]
fn coinciding_points_without_noise_get_recorded_jitter() {
    let mut l = Cholesky::default();
    l.push(vec![], 1.0).unwrap();
    l.push(vec![1.0], 1.0).unwrap();
    assert_eq!(l.jitter()[0], 0.0);
    assert!(l.jitter()[1] > 0.0 && l.jitter()[1] <= 1e-6);
    let built = Cholesky::build(3, |out, stride| {
        (0..3).for_each(|j| out[j * stride..j * stride + 3].fill(1.0));
    })
    .unwrap();
    assert!(built.jitter()[1] > 0.0 && built.log_det().is_finite());
}

#[test]
fn a_matrix_that_no_jitter_saves_is_an_error_and_changes_nothing() {
    let mut l = Cholesky::default();
    l.push(vec![], 1.0).unwrap();
    assert!(l.push(vec![2.0], 1.0).is_err());
    assert!(l.reweight(0, -2.0).is_err());
    assert_eq!((l.len(), l.get(0, 0)), (1, 1.0));
}

/// As wide and as long as in a study: the rows still solve for their columns after hundreds of steps.
#[test]
fn wide_riders_stay_exact_over_many_steps() {
    let wide: Vec<f64> = (0..4096).map(|j| f64::from(j) * 0.01).collect();
    let mut points: Vec<f64> = Vec::new();
    let (mut l, mut m) =
        (Cholesky::default(), Riders::solve(&Cholesky::default(), 4096, |_, _, _| ()));
    for t in 0..420 {
        let x = f64::from(t * 37 % 401) * 0.1;
        let row = points.iter().map(|p| covariance(x, *p)).collect();
        let step = l.push(row, 1.0 + 1e-3).unwrap();
        points.push(x);
        let b: Vec<f64> = wide.iter().map(|c| covariance(x, *c)).collect();
        m.follow(&step, &b).unwrap();
        if t % 9 == 8 {
            let i = points.len() / 3;
            points.remove(i);
            m.follow(&l.remove(i), &[]).unwrap();
        }
    }
    let mut worst = 0f64;
    for (i, x) in points.iter().enumerate() {
        for (j, c) in wide.iter().enumerate().step_by(13) {
            let product: f64 = (0..=i).map(|k| l.get(i, k) * m.get(k, j)).sum();
            worst = worst.max((product - covariance(*x, *c)).abs());
        }
    }
    println!("|LM - B| = {worst:e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

#[test]
fn a_removed_point_is_as_if_it_had_never_been_pushed() {
    let mut l = Cholesky::default();
    l.push(vec![], 4.0).unwrap();
    l.push(vec![2.0], 5.0).unwrap();
    assert_eq!((l.get(0, 0), l.get(1, 0), l.get(1, 1)), (2.0, 1.0, 2.0));
    l.remove(0);
    assert!((l.get(0, 0) - 5f64.sqrt()).abs() < 1e-15);
}
