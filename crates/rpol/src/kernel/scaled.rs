//! A kernel times a variance.

use super::covariance::KernelRow;
use super::param::{self, Param, ParamRole};
use super::{Covariance, Kernel};
use crate::error::Result;
use crate::simd::run_closure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The scaled kernel $\sigma^2 k(x, x')$: the signal variance $\sigma^2 > 0$ sets the size of the
/// function (Rasmussen & Williams 2006, equation 2.31).
///
/// ```
/// use rpol::Kernel;
/// assert_eq!(Kernel::matern52([0.3]).scaled(4.0).value(&[0.5], &[0.5]), 4.0);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scaled {
    /// Signal variance $\sigma^2$.
    pub(crate) variance: f64,
    /// The kernel scaled.
    pub(crate) kernel: Box<Kernel>,
}

impl Scaled {
    fn scale(&self, values: &mut [f64]) {
        run_closure(
            #[inline(always)]
            || values.iter_mut().for_each(|v| *v *= self.variance),
        );
    }
}

impl Covariance for Scaled {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        self.kernel.row(at, out);
        self.scale(out);
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        self.kernel.input_gradient(at, out, jacobian);
        self.scale(out);
        self.scale(jacobian);
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let (own, inner) = jacobian.split_at_mut(at.points.len());
        self.kernel.param_gradient(at, out, inner);
        self.scale(out);
        self.scale(inner);
        own.copy_from_slice(out);
    }

    fn hessian_sum(&self, at: KernelRow<'_>, free: &[usize], weights: &[f64], out: &mut [f64]) {
        self.kernel.hessian_sum(at, free, weights, out);
        self.scale(out);
    }

    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        out[0] = weights.iter().sum();
        self.kernel.log_gradient_sum(at, weights, &mut out[1..]);
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.variance * self.kernel.diagonal(x)
    }

    fn diagonal_gradient(&self, x: &[f64], out: &mut [f64]) {
        self.kernel.diagonal_gradient(x, out);
        self.scale(out);
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        out.push(self.variance.ln());
        self.kernel.log_params(out);
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        self.variance = from[0].exp();
        self.kernel.set_log_params(&from[1..])
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        param::push(out, path, "variance", ParamRole::Variance, self.variance);
        self.kernel.params(&param::join(path, "kernel"), out);
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.kernel.check_shape(&param::join(path, "kernel"), dims)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.kernel.restrict(dims);
    }
}
