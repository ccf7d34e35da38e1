//! [`Kernel`] as a [`Covariance`]: the kernel inside, with vanishing values made zero.

use super::covariance::KernelRow;
use super::{Covariance, Kernel, Param};
use crate::error::Result;
use crate::simd::run_closure;

/// Smaller values become 0: their products would be subnormal, which slows a Cholesky
/// factorisation six times.
const NEGLIGIBLE: f64 = 1e-100;

fn flush(values: &mut [f64]) {
    run_closure(
        #[inline(always)]
        || values.iter_mut().for_each(|v| *v = flushed(*v)),
    );
}

#[inline(always)]
fn flushed(v: f64) -> f64 {
    if v.abs() < NEGLIGIBLE { 0.0 } else { v }
}

impl Covariance for Kernel {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        self.inner().row(at, out);
        flush(out);
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        self.inner().input_gradient(at, out, jacobian);
        flush(out);
        flush(jacobian);
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        self.inner().param_gradient(at, out, jacobian);
        flush(out);
        flush(jacobian);
    }

    fn hessian_sum(&self, at: KernelRow<'_>, free: &[usize], weights: &[f64], out: &mut [f64]) {
        self.inner().hessian_sum(at, free, weights, out);
    }

    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        self.inner().log_gradient_sum(at, weights, out);
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        flushed(self.inner().diagonal(x))
    }

    fn diagonal_gradient(&self, x: &[f64], out: &mut [f64]) {
        self.inner().diagonal_gradient(x, out);
        flush(out);
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        self.inner().log_params(out);
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        self.inner_mut().set_log_params(from)
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        self.inner().params(path, out);
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        self.inner().check_shape(path, dims)
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.inner_mut().restrict(dims);
    }
}
