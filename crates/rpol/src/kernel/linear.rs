//! The linear kernel.

use super::Covariance;
use super::ard::{Ard, Axis, saturate};
use super::covariance::KernelRow;
use super::param::{self, Param, ParamRole};
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The linear kernel $k(x, x') = \sum_d x_d x'_d / \ell_d^2 + b$: Bayesian linear regression
/// (Rasmussen & Williams 2006, section 4.2.2).
///
/// $1 / \ell_d^2$: variance of the slope along $d$; $b > 0$: variance of the constant.
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::linear(0.5, [2.0]);
/// let (a, b, zero) = (kernel.value(&[1.0], &[3.0]), kernel.value(&[2.0], &[3.0]), 0.5);
/// assert!((2.0 * (a - zero) - (b - zero)).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Linear {
    /// Variance $b > 0$ of the constant.
    pub(crate) bias: f64,
    /// Coordinates and length scales.
    #[serde(flatten)]
    pub(crate) ard: Ard,
}

fn scaled(v: f64, axis: Axis) -> f64 {
    saturate(v * axis.inverse)
}

impl Covariance for Linear {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        let KernelRow { x, points } = at;
        out.fill(self.bias);
        for axis in self.ard.axes() {
            let x = scaled(x[axis.dim], axis);
            for (v, y) in out.iter_mut().zip(points.column(axis.dim)) {
                *v += x * scaled(*y, axis);
            }
        }
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        self.row(at, out);
        jacobian.fill(0.0);
        for axis in self.ard.axes() {
            let gradient = &mut jacobian[axis.dim * at.points.len()..];
            for (g, y) in gradient.iter_mut().zip(at.points.column(axis.dim)) {
                *g = axis.inverse * scaled(*y, axis);
            }
        }
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        self.row(at, out);
        let (scales, bias) = jacobian.split_at_mut(self.ard.lengthscales.len() * points.len());
        bias.fill(self.bias);
        for (i, axis) in self.ard.axes().enumerate() {
            let x = scaled(x[axis.dim], axis);
            let gradient = &mut scales[i * points.len()..];
            for (g, y) in gradient.iter_mut().zip(points.column(axis.dim)) {
                *g = -2.0 * x * scaled(*y, axis);
            }
        }
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        let term = |axis: Axis| scaled(x[axis.dim], axis).powi(2);
        self.ard.axes().map(term).fold(self.bias, |sum, v| sum + v)
    }

    fn diagonal_gradient(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for axis in self.ard.axes() {
            out[axis.dim] = 2.0 * axis.inverse * scaled(x[axis.dim], axis);
        }
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        param::append_logs(&self.ard.lengthscales, out);
        out.push(self.bias.ln());
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        let from = param::take_logs(&mut self.ard.lengthscales, from);
        self.bias = from[0].exp();
        &from[1..]
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        self.ard.params(path, out);
        param::push(out, path, "bias", ParamRole::Variance, self.bias);
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.ard.check_shape(path, dims)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.ard.dims = Some(dims.to_vec());
    }
}
