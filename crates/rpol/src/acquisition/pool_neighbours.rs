//! What the candidates around a candidate say of the score there, before the model is asked.

use super::starts::{self, Near};
use crate::gp::Quadratic;
use crate::points::Points;
use std::sync::OnceLock;

/// The nearest candidates of every candidate, found when first needed.
#[derive(Debug, Clone)]
pub(crate) struct Neighbourhoods {
    of: Vec<OnceLock<Neighbourhood>>,
    near: OnceLock<Near>,
}

/// The nearest candidates of one, and how their values make a gradient.
#[derive(Debug, Clone)]
pub(crate) struct Neighbourhood {
    nearest: Vec<usize>,
    /// Least squares: term `d` of gradient and Hessian is the sum over `j` of `weights[d * nearest.len() + j]` times the
    /// difference of values. `None` where the candidates do not determine them.
    weights: Option<Vec<f64>>,
    dims: usize,
    /// Largest distance to one of them, in a coordinate.
    radius: f64,
}

impl Neighbourhoods {
    pub(crate) fn new(candidates: usize) -> Self {
        Self { of: vec![OnceLock::new(); candidates], near: OnceLock::new() }
    }

    /// Which candidates are near which.
    pub(super) fn near(&self, candidates: &Points) -> &Near {
        self.near.get_or_init(|| Near::find(candidates))
    }

    pub(super) fn of(&self, candidates: &Points, i: usize) -> &Neighbourhood {
        self.of[i].get_or_init(|| Neighbourhood::find(candidates, i))
    }
}

impl Neighbourhood {
    fn find(candidates: &Points, i: usize) -> Self {
        let dims = candidates.dims();
        let x = candidates.point(i);
        let count = (4 * dims + 4).min(candidates.len().saturating_sub(1));
        let mut square = vec![0.0; candidates.len()];
        for d in 0..dims {
            for (s, y) in square.iter_mut().zip(candidates.view().column(d)) {
                *s += (y - x[d]).powi(2);
            }
        }
        let by = |a: &usize, b: &usize| square[*a].total_cmp(&square[*b]).then(a.cmp(b));
        // A ball that is likely to hold enough of them; twice as wide until it does.
        let mut ball = starts::spacing(candidates).powi(2);
        let square = &square;
        let within =
            |ball: f64| (0..square.len()).filter(move |j| square[*j] > 0.0 && square[*j] < ball);
        let mut order: Vec<usize> = within(ball).collect();
        while order.len() < count && ball < 2.0 * dims as f64 {
            ball *= 4.0;
            order = within(ball).collect();
        }
        if order.len() > count {
            order.select_nth_unstable_by(count, by);
            order.truncate(count);
        }
        order.sort_by(by);
        let offsets: Vec<Vec<f64>> = order
            .iter()
            .map(|j| candidates.point(*j).iter().zip(&x).map(|(y, x)| y - x).collect())
            .collect();
        let radius = offsets.iter().flatten().fold(0.0, |r: f64, o| r.max(o.abs()));
        // Of the size of one, for the sake of the least squares.
        let terms: Vec<Vec<f64>> = offsets.iter().map(|o| terms(o, radius)).collect();
        let weights = terms.first().and_then(|first| least_squares(&terms, first.len()));
        Self { weights, nearest: order, radius, dims }
    }

    /// The candidates around it, nearest first.
    pub(super) fn nearest(&self) -> &[usize] {
        &self.nearest
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// A function around candidate `i` to second order, from its values at candidates.
    pub(super) fn draw(&self, i: usize, value: impl Fn(usize) -> f64) -> Option<Quadratic> {
        let dims = self.dims;
        let here = value(i);
        let mut terms = self.fitted(i, value)?;
        let gradient = terms.by_ref().take(dims).map(|term| term / self.radius).collect();
        let mut hessian = vec![0.0; dims * dims];
        for a in 0..dims {
            for b in a..dims {
                let term = terms.next()? / self.radius.powi(2);
                (hessian[a * dims + b], hessian[b * dims + a]) = (term, term);
            }
        }
        Some(Quadratic { value: here, gradient, hessian })
    }

    fn fitted(&self, i: usize, value: impl Fn(usize) -> f64) -> Option<impl Iterator<Item = f64>> {
        let here = value(i);
        let rises: Vec<f64> = self.nearest.iter().map(|j| value(*j) - here).collect();
        let along = move |row: &[f64]| row.iter().zip(&rises).map(|(w, r)| w * r).sum();
        Some(self.weights.as_ref()?.chunks_exact(self.nearest.len()).map(along))
    }
}

/// What a function of second order is linear in.
fn terms(offset: &[f64], radius: f64) -> Vec<f64> {
    let o: Vec<f64> = offset.iter().map(|v| v / radius).collect();
    let mut terms = o.clone();
    for a in 0..o.len() {
        terms.push(0.5 * o[a] * o[a]);
        terms.extend(o[a + 1..].iter().map(|v| o[a] * v));
    }
    terms
}

/// $(D^\top D)^{-1}D^\top$ for the rows of terms $D$, row after row; `None` where that is singular.
fn least_squares(offsets: &[Vec<f64>], dims: usize) -> Option<Vec<f64>> {
    let gram = |a: usize, b: usize| offsets.iter().map(|o| o[a] * o[b]).sum::<f64>();
    // Gauss-Jordan on (gram | D^T): a handful of rows, diagonally dominant enough without pivoting
    // because the gram matrix is positive definite.
    let width = dims + offsets.len();
    let mut rows: Vec<Vec<f64>> = (0..dims)
        .map(|a| {
            let left = (0..dims).map(|b| gram(a, b));
            left.chain(offsets.iter().map(|o| o[a])).collect()
        })
        .collect();
    for a in 0..dims {
        let pivot = rows[a][a];
        if pivot <= 1e-9 * gram(a, a) || pivot <= 0.0 {
            return None;
        }
        rows[a].iter_mut().for_each(|v| *v /= pivot);
        let row = rows[a].clone();
        for (b, other) in rows.iter_mut().enumerate() {
            if a != b {
                let factor = other[a];
                (0..width).for_each(|k| other[k] -= factor * row[k]);
            }
        }
    }
    Some(rows.into_iter().flat_map(|row| row[dims..].to_vec()).collect())
}
