//! Kernels $k(x, x')$: one file each; `gram` and `cross` are written once, here.

use crate::points::PointsView;

/// What every kernel can do. One point `x` against a run of `points`, so that the inner loops are
/// over contiguous memory and one virtual call pays for hundreds of values.
pub trait Covariance {
    /// `out[j] = k(x, points[j])`.
    fn row(&self, x: &[f64], points: PointsView<'_>, out: &mut [f64]);

    /// As [`row`](Self::row), and `jacobian[d * points.len() + j]` $= \partial k(x, y_j) / \partial x_d$.
    fn row_with_input_gradient(&self, x: &[f64], points: PointsView<'_>, out: &mut [f64], jacobian: &mut [f64]);

    /// As [`row`](Self::row), and `jacobian[p * points.len() + j]` $= \partial k(x, y_j) / \partial \ln\theta_p$,
    /// in the order of [`log_params`](Self::log_params).
    fn row_with_param_gradient(&self, x: &[f64], points: PointsView<'_>, out: &mut [f64], jacobian: &mut [f64]);

    /// $k(x, x)$.
    fn diagonal(&self, x: &[f64]) -> f64;

    /// Appends $\ln\theta$ of every hyper-parameter.
    fn log_params(&self, out: &mut Vec<f64>);

    /// Sets the hyper-parameters from $\ln\theta$; returns what is left of `from` after its own.
    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64];
}

/// Which kernel.
#[derive(Debug, Clone)]
pub enum Kernel {}
