//! The one trait of a kernel.

use super::Param;
use crate::error::Result;
use crate::linalg::dot;
use crate::points::PointsView;

/// What every kernel can do. One point `x` against a run of `points`, so that the inner loops are
/// over contiguous memory and one virtual call pays for hundreds of values.
///
/// ```
/// use rpol::{Kernel, Points, kernel::Covariance};
/// let kernel = Kernel::matern52([0.3]);
/// let points = Points::from_rows(1, &[[0.1], [0.9]]);
/// let mut row = [0.0; 2];
/// kernel.row(&[0.5], points.view(), &mut row);
/// assert_eq!(row[0], kernel.value(&[0.1], &[0.5]));
/// ```
pub trait Covariance {
    /// `out[j] = k(x, points[j])`.
    fn row(&self, x: &[f64], points: PointsView<'_>, out: &mut [f64]);

    /// As [`row`](Self::row), and `jacobian[d * points.len() + j]`
    /// $= \partial k(x, y_j) / \partial x_d$.
    fn row_with_input_gradient(
        &self,
        x: &[f64],
        points: PointsView<'_>,
        out: &mut [f64],
        jacobian: &mut [f64],
    );

    /// As [`row`](Self::row), and `jacobian[p * points.len() + j]`
    /// $= \partial k(x, y_j) / \partial \ln\theta_p$, in the order of
    /// [`log_params`](Self::log_params).
    fn row_with_param_gradient(
        &self,
        x: &[f64],
        points: PointsView<'_>,
        out: &mut [f64],
        jacobian: &mut [f64],
    );

    /// The gradients of the logarithm, weighed and added up: `out[p]`
    /// $= \sum_jw_j\,\partial\ln k(x, y_j)/\partial\ln\theta_p$, for a kernel that is nowhere below 0; where it is 0
    /// the weight has to be 0.
    ///
    /// The logarithm of a product is a sum and that of an exponential is simple: most kernels need no exponential for it.
    fn log_gradient_sum(
        &self,
        x: &[f64],
        points: PointsView<'_>,
        weights: &[f64],
        out: &mut [f64],
    ) {
        weighed_gradient(self, x, points, weights, out);
    }

    /// The second derivatives along the coordinates `free`, weighed and added up:
    /// $\sum_jw_j \partial^2k(x, y_j)/\partial x_a\partial x_b$ for every $a$ and $b$, row after row.
    ///
    /// Where a kernel knows no better, by differences of its gradient; their error is of the order of $10^{-5}$ times the third derivative.
    fn hessian_sum(
        &self,
        x: &[f64],
        points: PointsView<'_>,
        free: &[usize],
        weights: &[f64],
        out: &mut [f64],
    ) {
        differences(self, x, points, free, weights, out);
    }

    /// $k(x, x)$.
    fn diagonal(&self, x: &[f64]) -> f64;

    /// `out[d]` $= \partial k(x, x) / \partial x_d$: zero unless the prior variance depends on $x$.
    fn diagonal_gradient(&self, _x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Appends $\ln\theta$ of every hyper-parameter.
    fn log_params(&self, out: &mut Vec<f64>);

    /// Sets the hyper-parameters from $\ln\theta$; returns what is left of `from` after its own.
    ///
    /// # Panics
    /// When `from` is too short.
    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64];

    /// Appends name, role and value of every hyper-parameter, in the order of
    /// [`log_params`](Self::log_params); `path` is where this kernel stands in its definition.
    fn params(&self, path: &str, out: &mut Vec<Param>);

    /// Checks everything but the values of the hyper-parameters, for points of `dims` coordinates.
    fn check_shape(&self, path: &str, dims: usize) -> Result<()>;

    /// Makes every kernel inside read the coordinates `dims` only.
    fn restrict(&mut self, dims: &[usize]);
}

/// The sum of the gradients of the logarithm, by the gradients themselves.
pub(super) fn weighed_gradient<K: Covariance + ?Sized>(
    kernel: &K,
    x: &[f64],
    points: PointsView<'_>,
    weights: &[f64],
    out: &mut [f64],
) {
    let n = points.len();
    let (mut value, mut jacobian) = (vec![0.0; n], vec![0.0; out.len() * n]);
    kernel.row_with_param_gradient(x, points, &mut value, &mut jacobian);
    let over = |(w, k): (&f64, &f64)| if *k > 0.0 { w / k } else { 0.0 };
    let weights: Vec<f64> = weights.iter().zip(&value).map(over).collect();
    for (p, out) in out.iter_mut().enumerate() {
        *out = dot(&jacobian[p * n..(p + 1) * n], &weights);
    }
}

/// Second derivatives by differences of the gradient.
pub(super) fn differences<K: Covariance + ?Sized>(
    kernel: &K,
    x: &[f64],
    points: PointsView<'_>,
    free: &[usize],
    weights: &[f64],
    out: &mut [f64],
) {
    const STEP: f64 = 1e-5;
    let n = points.len();
    let (mut value, mut jacobian) = (vec![0.0; n], vec![0.0; x.len() * n]);
    let mut slopes = |at: &[f64]| -> Vec<f64> {
        kernel.row_with_input_gradient(at, points, &mut value, &mut jacobian);
        free.iter().map(|d| dot(&jacobian[d * n..][..n], weights)).collect()
    };
    let (here, mut at, dims) = (slopes(x), x.to_vec(), free.len());
    for (i, a) in free.iter().enumerate() {
        // Within the unit cube.
        let step = if x[*a] + STEP <= 1.0 { STEP } else { -STEP };
        at[*a] = x[*a] + step;
        let there = slopes(&at);
        at[*a] = x[*a];
        for j in i..dims {
            out[i * dims + j] = (there[j] - here[j]) / step;
            out[j * dims + i] = out[i * dims + j];
        }
    }
}
