//! Products of kernels.

use super::covariance::KernelRow;
use super::{Covariance, Kernel, Param, param};
use crate::error::{Error, Result};
use crate::simd::run_closure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The product $k(x, x') = \prod_i k_i(x, x')$: points are alike when they are alike in every factor
/// (Rasmussen & Williams 2006, section 4.2.4).
///
/// ```
/// use rpol::Kernel;
/// let (a, b) = (Kernel::matern12([0.5]).on([0]), Kernel::hamming([1.0]).on([1]));
/// let (x, y) = ([0.2, 0.0], [0.7, 1.0]);
/// assert_eq!((a.clone() * b.clone()).value(&x, &y), a.value(&x, &y) * b.value(&x, &y));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Product {
    /// The kernels multiplied, at least one.
    pub(crate) factors: Vec<Kernel>,
}

/// Values that are multiplied at a time.
const PART: usize = 256;

/// Multiplies each row of `rows` by `factor`, entry by entry.
fn scale_rows(rows: &mut [f64], factor: &[f64]) {
    // An empty row would make no chunk.
    for row in rows.chunks_exact_mut(factor.len().max(1)) {
        run_closure(
            #[inline(always)]
            || row.iter_mut().zip(factor).for_each(|(v, f)| *v *= f),
        );
    }
}

impl Covariance for Product {
    fn row(&self, at: KernelRow<'_>, out: &mut [f64]) {
        let Some((first, rest)) = self.factors.split_first() else { return out.fill(1.0) };
        first.row(at, out);
        // Part by part in a room of fixed size: rows are short and many, and to ask for memory would take as long.
        let mut room = [0.0; PART];
        for start in (0..out.len()).step_by(PART) {
            let end = out.len().min(start + PART);
            let factor = &mut room[..end - start];
            for kernel in rest {
                kernel.row(at.range(start..end), factor);
                scale_rows(&mut out[start..end], factor);
            }
        }
    }

    // The product rule, one factor at a time: (f g)' = f' g + f g'.
    fn input_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let (mut factor, mut gradient) = (vec![0.0; out.len()], vec![0.0; jacobian.len()]);
        out.fill(1.0);
        jacobian.fill(0.0);
        for kernel in &self.factors {
            kernel.input_gradient(at, &mut factor, &mut gradient);
            scale_rows(jacobian, &factor);
            scale_rows(&mut gradient, out);
            for (v, g) in jacobian.iter_mut().zip(&gradient) {
                *v += g;
            }
            scale_rows(out, &factor);
        }
    }

    fn param_gradient(&self, at: KernelRow<'_>, out: &mut [f64], jacobian: &mut [f64]) {
        let (mut factor, mut end) = (vec![0.0; out.len()], 0);
        out.fill(1.0);
        for kernel in &self.factors {
            let (before, rest) = jacobian.split_at_mut(end);
            let own = &mut rest[..kernel.param_count() * at.points.len()];
            kernel.param_gradient(at, &mut factor, own);
            scale_rows(before, &factor);
            scale_rows(own, out);
            scale_rows(out, &factor);
            end += own.len();
        }
    }

    /// Logarithms add up: every factor by itself, with the same weights.
    fn log_gradient_sum(&self, at: KernelRow<'_>, weights: &[f64], out: &mut [f64]) {
        let mut rest = out;
        for kernel in &self.factors {
            let (own, after) = rest.split_at_mut(kernel.param_count());
            kernel.log_gradient_sum(at, weights, own);
            rest = after;
        }
    }

    fn diagonal(&self, x: &[f64]) -> f64 {
        self.factors.iter().map(|k| k.diagonal(x)).product()
    }

    fn diagonal_gradient(&self, x: &[f64], out: &mut [f64]) {
        let (mut value, mut gradient) = (1.0, vec![0.0; out.len()]);
        out.fill(0.0);
        for kernel in &self.factors {
            let factor = kernel.diagonal(x);
            kernel.diagonal_gradient(x, &mut gradient);
            for (v, g) in out.iter_mut().zip(&gradient) {
                *v = *v * factor + value * g;
            }
            value *= factor;
        }
    }

    fn log_params(&self, out: &mut Vec<f64>) {
        self.factors.iter().for_each(|k| k.log_params(out));
    }

    fn set_log_params<'a>(&mut self, from: &'a [f64]) -> &'a [f64] {
        let set = |from, k: &mut Kernel| k.set_log_params(from);
        self.factors.iter_mut().fold(from, set)
    }

    fn params(&self, path: &str, out: &mut Vec<Param>) {
        for (i, kernel) in self.factors.iter().enumerate() {
            kernel.params(&param::join(path, &format!("factors[{i}]")), out);
        }
    }

    fn check_shape(&self, path: &str, dims: usize) -> Result<()> {
        if self.factors.is_empty() {
            let problem = "a product of no kernels: give at least one";
            return Err(Error::spec(param::join(path, "factors"), problem));
        }
        for (i, kernel) in self.factors.iter().enumerate() {
            kernel.check_shape(&param::join(path, &format!("factors[{i}]")), dims)?;
        }
        Ok(())
    }

    fn restrict(&mut self, dims: &[usize]) {
        self.factors.iter_mut().for_each(|k| k.restrict(dims));
    }
}
