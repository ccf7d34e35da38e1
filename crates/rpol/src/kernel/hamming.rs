//! The Hamming kernel, for categories.

use super::Covariance;
use super::ard::Ard;
use super::covariance::KernelRow;
use super::param::{self, Param, ParamRole};
use crate::error::Result;
use crate::simd::{self, run_closure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The Hamming kernel $k(x, x') = \exp\bigl(-\sum_d [x_d \ne x'_d] / \ell_d\bigr)$, for categories
/// coded as numbers: every two different ones are equally far apart (Hutter, Hoos & Leyton-Brown
/// 2011, "Sequential model-based optimization for general algorithm configuration", section 4.1).
///
/// $\ell_d$: how little a change of category $d$ matters. Values are compared bit for bit.
///
/// ```
/// use rpol::Kernel;
/// let kernel = Kernel::hamming([2.0]);
/// assert_eq!(kernel.value(&[0.0], &[1.0]), kernel.value(&[7.0], &[3.0]));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hamming {
    /// Coordinates and length scales.
    #[serde(flatten)]
    pub(crate) ard: Ard,
}

impl Covariance for Hamming {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        let KernelRow { x, points } = at;
        out.fill(0.0);
        for axis in self.ard.axes() {
            let (x, column) = (x[axis.dim], points.column(axis.dim));
            run_closure(
                #[inline(always)]
                || {
                    for (v, y) in out.iter_mut().zip(column) {
                        *v -= if x == *y { 0.0 } else { axis.inverse };
                    }
                },
            );
        }
        simd::exp_each(out);
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        self.row(at, out);
        jacobian.fill(0.0);
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let KernelRow { x, points } = at;
        self.row(at, out);
        let n = points.len();
        for (i, axis) in self.ard.axes().enumerate() {
            let column = points.column(axis.dim);
            for (j, k) in out.iter().enumerate() {
                let same = x[axis.dim] == column[j];
                jacobian[i * n + j] = if same { 0.0 } else { k * axis.inverse };
            }
        }
    }

    /// $\partial\ln k/\partial\ln\ell_d = [x_d \ne y_d]/\ell_d$.
    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        let KernelRow { x, points } = at;
        for (out, axis) in out.iter_mut().zip(self.ard.axes()) {
            let x = x[axis.dim];
            let other = points.column(axis.dim).iter().zip(weights);
            let sum: f64 = other.map(|(y, w)| if x == *y { 0.0 } else { *w }).sum();
            *out = sum * axis.inverse;
        }
    }

    fn diagonal(&self, _x: &[f64]) -> f64 {
        1.0
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        param::append_logs(&self.ard.lengthscales, out);
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        param::take_logs(&mut self.ard.lengthscales, from)
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        param::push_all(out, path, "lengthscales", ParamRole::Category, &self.ard.lengthscales);
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.ard.check_shape(path, dims)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.ard.dims = Some(dims.to_vec());
    }
}
