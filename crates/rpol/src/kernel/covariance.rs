//! The one trait of a kernel.

use super::Param;
use crate::error::Result;
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
