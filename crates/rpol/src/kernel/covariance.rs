//! The one trait of a kernel.

use super::Param;
use crate::error::Result;
use crate::linalg::dot;
use crate::points::PointsView;
use std::ops::Range;

/// A point, and the points it is compared with: the request that every row of values and every gradient answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KernelRow<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) points: PointsView<'a>,
}

impl<'a> KernelRow<'a> {
    pub(crate) fn new(x: &'a [f64], points: PointsView<'a>) -> Self {
        Self { x, points }
    }

    /// The same with some of the points.
    pub(super) fn range(self, range: Range<usize>) -> Self {
        Self { points: self.points.range(range), ..self }
    }
}

/// What every kernel can do. One point against a run of points, so that the inner loops are over contiguous memory and
/// one virtual call pays for hundreds of values.
pub(crate) trait Covariance {
    /// `out[j] = k(x, points[j])`.
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]);

    /// As [`row`](Self::row), and `jacobian[d * points.len() + j]`
    /// $= \partial k(x, y_j) / \partial x_d$.
    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]);

    /// As [`row`](Self::row), and `jacobian[p * points.len() + j]`
    /// $= \partial k(x, y_j) / \partial \ln\theta_p$, in the order of
    /// [`log_params`](Self::log_params).
    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]);

    /// The gradients of the logarithm, weighed and added up: `out[p]`
    /// $= \sum_jw_j\,\partial\ln k(x, y_j)/\partial\ln\theta_p$, for a kernel that is nowhere below 0; where it is 0
    /// the weight has to be 0.
    ///
    /// The logarithm of a product is a sum and that of an exponential is simple: most kernels need no exponential for it.
    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        weighed_gradient(self, at, weights, out);
    }

    /// The second derivatives along the coordinates `free`, weighed and added up:
    /// $\sum_jw_j \partial^2k(x, y_j)/\partial x_a\partial x_b$ for every $a$ and $b$, row after row.
    ///
    /// Where a kernel knows no better, by differences of its gradient; their error is of the order of $10^{-5}$ times the third derivative.
    fn hessian_sum(&self, at: KernelRow<'_>, free: &[usize], weights: &[f64], out: &mut [f64]) {
        differences(self, at, free, weights, out);
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
    at: KernelRow<'_>,
    weights: &[f64],
    out: &mut [f64],
) {
    let n = at.points.len();
    let (mut value, mut jacobian) = (vec![0.0; n], vec![0.0; out.len() * n]);
    kernel.param_gradient(at, &mut value, &mut jacobian);
    let over = |(w, k): (&f64, &f64)| if *k > 0.0 { w / k } else { 0.0 };
    let weights: Vec<f64> = weights.iter().zip(&value).map(over).collect();
    for (p, out) in out.iter_mut().enumerate() {
        *out = dot(&jacobian[p * n..(p + 1) * n], &weights);
    }
}

/// Second derivatives by differences of the gradient.
pub(super) fn differences<K: Covariance + ?Sized>(
    kernel: &K,
    at: KernelRow<'_>,
    free: &[usize],
    weights: &[f64],
    out: &mut [f64],
) {
    const STEP: f64 = 1e-5;
    let n = at.points.len();
    let (mut value, mut jacobian) = (vec![0.0; n], vec![0.0; at.x.len() * n]);
    let mut slopes = |x: &[f64]| -> Vec<f64> {
        kernel.input_gradient(KernelRow { x, ..at }, &mut value, &mut jacobian);
        free.iter().map(|d| dot(&jacobian[d * n..][..n], weights)).collect()
    };
    let (here, mut x, dims) = (slopes(at.x), at.x.to_vec(), free.len());
    for (i, a) in free.iter().enumerate() {
        // Within the unit cube.
        let step = if at.x[*a] + STEP <= 1.0 { STEP } else { -STEP };
        x[*a] = at.x[*a] + step;
        let there = slopes(&x);
        x[*a] = at.x[*a];
        for j in i..dims {
            out[i * dims + j] = (there[j] - here[j]) / step;
            out[j * dims + i] = out[i * dims + j];
        }
    }
}
