//! Sums of kernels.

use super::covariance::KernelRow;
use super::{Covariance, Kernel, Param, param};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sum $k(x, x') = \sum_i k_i(x, x')$: a sum of independent processes (Rasmussen & Williams
/// 2006, section 4.2.4).
///
/// ```
/// use rpol::Kernel;
/// let (a, b) = (Kernel::matern12([1.0]), Kernel::linear(1.0, [1.0]));
/// let (x, y) = ([0.2], [0.7]);
/// assert_eq!((a.clone() + b.clone()).value(&x, &y), a.value(&x, &y) + b.value(&x, &y));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sum {
    /// The kernels added, at least one.
    pub(crate) terms: Vec<Kernel>,
}

fn add(out: &mut [f64], term: &[f64]) {
    for (v, t) in out.iter_mut().zip(term) {
        *v += t;
    }
}

impl Covariance for Sum {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        let mut term = vec![0.0; out.len()];
        out.fill(0.0);
        for kernel in &self.terms {
            kernel.row(at, &mut term);
            add(out, &term);
        }
    }

    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let (mut term, mut gradient) = (vec![0.0; out.len()], vec![0.0; jacobian.len()]);
        out.fill(0.0);
        jacobian.fill(0.0);
        for kernel in &self.terms {
            kernel.input_gradient(at, &mut term, &mut gradient);
            add(out, &term);
            add(jacobian, &gradient);
        }
    }

    fn hessian_sum(&self, at: KernelRow<'_>, free: &[usize], weights: &[f64], out: &mut [f64]) {
        let mut term = vec![0.0; out.len()];
        out.fill(0.0);
        for kernel in &self.terms {
            kernel.hessian_sum(at, free, weights, &mut term);
            add(out, &term);
        }
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let (mut term, mut rest) = (vec![0.0; out.len()], jacobian);
        out.fill(0.0);
        for kernel in &self.terms {
            let (own, after) = rest.split_at_mut(kernel.param_count() * at.points.len());
            kernel.param_gradient(at, &mut term, own);
            add(out, &term);
            rest = after;
        }
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.terms.iter().fold(0.0, |sum, k| sum + k.diagonal(x))
    }

    fn diagonal_gradient(&self, x: &[f64], out: &mut [f64]) {
        let mut gradient = vec![0.0; out.len()];
        out.fill(0.0);
        for kernel in &self.terms {
            kernel.diagonal_gradient(x, &mut gradient);
            add(out, &gradient);
        }
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        self.terms.iter().for_each(|k| k.log_params(out));
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        let set = |from, k: &mut Kernel| k.set_log_params(from);
        self.terms.iter_mut().fold(from, set)
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        for (i, kernel) in self.terms.iter().enumerate() {
            kernel.params(&param::join(path, &format!("terms[{i}]")), out);
        }
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        if self.terms.is_empty() {
            let problem = "a sum of no kernels: give at least one";
            return Err(Error::spec(param::join(path, "terms"), problem));
        }
        for (i, kernel) in self.terms.iter().enumerate() {
            kernel.check_shape(&param::join(path, &format!("terms[{i}]")), dims)?;
        }
        Ok(())
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.terms.iter_mut().for_each(|k| k.restrict(dims));
    }
}
