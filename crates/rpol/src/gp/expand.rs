//! Second-order expansions of a posterior around a point.

use super::posterior::Posterior;
use super::scale::Scale;
use crate::kernel::{Covariance, KernelRow};
use crate::linalg::dot;

/// A function to second order around a point, along chosen coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Quadratic {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    /// Symmetric, row after row.
    pub(crate) hessian: Vec<f64>,
}

/// An output around a point, in its own unit.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Expansion {
    pub(crate) mean: Quadratic,
    pub(crate) variance: Quadratic,
}

impl Expansion {
    /// The same in standard units.
    pub(crate) fn standardise(&mut self, unit: Scale) {
        let Quadratic { value, gradient, hessian } = &mut self.mean;
        *value = unit.standard(*value);
        gradient.iter_mut().chain(hessian).for_each(|v| *v /= unit.spread);
        let Quadratic { value, gradient, hessian } = &mut self.variance;
        let square = unit.spread * unit.spread;
        std::iter::once(value).chain(gradient).chain(hessian).for_each(|v| *v /= square);
    }
}

impl Quadratic {
    /// The value a `step` away.
    pub(crate) fn at(&self, step: &[f64]) -> f64 {
        let rows = self.hessian.chunks_exact(step.len().max(1));
        let bend: f64 = rows.zip(step).map(|(row, s)| s * inner(row, step)).sum();
        self.value + inner(&self.gradient, step) + 0.5 * bend
    }

    /// The gradient a `step` away.
    pub(crate) fn slope(&self, step: &[f64]) -> impl Iterator<Item = f64> {
        let rows = self.hessian.chunks_exact(step.len().max(1));
        self.gradient.iter().zip(rows).map(|(g, row)| g + inner(row, step))
    }

    pub(crate) fn scaled(mut self, factor: f64) -> Self {
        self.value *= factor;
        self.gradient.iter_mut().chain(&mut self.hessian).for_each(|v| *v *= factor);
        self
    }
}

/// Plain, for vectors of a few entries.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Step of the differences that give the second derivatives of $k(x, x)$, in the unit cube.
const STEP: f64 = 1e-5;

/// The kernel between a point and the inputs, to first order along chosen coordinates.
pub(crate) struct Star {
    n: usize,
    dims: usize,
    x: Vec<f64>,
    free: Vec<usize>,
    /// $k(x, X)$, then $\partial k(x, X)/\partial x_i$ for each coordinate.
    rows: Vec<f64>,
    /// $k(x, x)$ itself.
    prior: Quadratic,
}

impl Posterior {
    /// Everything an expansion at `x` along the coordinates `free` reads of the kernel.
    pub(crate) fn star(&self, x: &[f64], free: &[usize]) -> Star {
        let (kernel, inputs) = (self.factor().kernel(), self.factor().inputs().view());
        let (n, dims) = (self.factor().len(), free.len());
        let mut rows = vec![0.0; (dims + 1) * n];
        let mut jacobian = vec![0.0; x.len() * n];
        kernel.input_gradient(KernelRow::new(x, inputs), &mut rows[..n], &mut jacobian);
        for (i, d) in free.iter().enumerate() {
            rows[(i + 1) * n..(i + 2) * n].copy_from_slice(&jacobian[d * n..(d + 1) * n]);
        }
        let mut own = vec![0.0; x.len()];
        kernel.diagonal_gradient(x, &mut own);
        let gradient: Vec<f64> = free.iter().map(|d| own[*d]).collect();
        let mut hessian = vec![0.0; dims * dims];
        let mut at = x.to_vec();
        for (i, d) in free.iter().enumerate() {
            let step = if x[*d] + STEP <= 1.0 { STEP } else { -STEP };
            at[*d] = x[*d] + step;
            kernel.diagonal_gradient(&at, &mut own);
            at[*d] = x[*d];
            for j in i..dims {
                hessian[i * dims + j] = (own[free[j]] - gradient[j]) / step;
                hessian[j * dims + i] = hessian[i * dims + j];
            }
        }
        let prior = Quadratic { value: kernel.diagonal(x), gradient, hessian };
        Star { n, dims, x: x.to_vec(), free: free.to_vec(), rows, prior }
    }

    /// $\mu_q$ of every output, in its unit, to second order: no solve, $O(n)$.
    pub(crate) fn expand_means(&self, star: &Star) -> Vec<Quadratic> {
        let outputs = self.scales().iter().zip(self.weights());
        let expand = |(scale, weights): (&super::Scale, &Vec<f64>)| {
            let row = |i: usize| dot(&star.rows[i * star.n..(i + 1) * star.n], weights);
            let mut mean = Quadratic {
                value: row(0),
                gradient: (1..=star.dims).map(row).collect(),
                hessian: self.bent(star, weights),
            };
            mean = mean.scaled(scale.spread);
            mean.value += scale.centre;
            mean
        };
        outputs.map(expand).collect()
    }

    /// $\sigma^2$ in standard units, to second order. With $v = L^{-1}k$, $W = L^{-1}J$ and
    /// $\alpha = L^{-\top}v$ the variance explained by the data is $v^\top v$, its gradient $2W^\top v$, and
    /// its Hessian $2W^\top W + 2\sum_s\alpha_s\nabla^2k(x, x_s)$: one batch of solves for all, and one
    /// back for each.
    pub(crate) fn expand_variances(&self, stars: &[Star]) -> Vec<Quadratic> {
        let mut solved: Vec<f64> = stars.iter().flat_map(|star| &star.rows).copied().collect();
        self.factor().cholesky().solve(&mut solved);
        let mut rest = solved.as_slice();
        let expand = |star: &Star| {
            let (own, others) = rest.split_at(star.rows.len());
            rest = others;
            self.variance(star, own)
        };
        stars.iter().map(expand).collect()
    }

    /// From $L^{-1}(k, J)$.
    fn variance(&self, star: &Star, solved: &[f64]) -> Quadratic {
        let (n, dims) = (star.n, star.dims);
        let row = |i: usize| &solved[i * n..(i + 1) * n];
        let mut variance = star.prior.clone();
        variance.value -= dot(row(0), row(0));
        let mut weights = row(0).to_vec();
        self.factor().cholesky().solve_transposed(&mut weights);
        let bent = self.bent(star, &weights);
        for i in 0..dims {
            variance.gradient[i] -= 2.0 * dot(row(i + 1), row(0));
            for j in i..dims {
                let explained = 2.0 * (dot(row(i + 1), row(j + 1)) + bent[i * dims + j]);
                variance.hessian[i * dims + j] -= explained;
                if i != j {
                    variance.hessian[j * dims + i] -= explained;
                }
            }
        }
        variance
    }

    /// $\sum_s w_s\nabla^2k(x, x_s)$.
    fn bent(&self, star: &Star, weights: &[f64]) -> Vec<f64> {
        let mut hessian = vec![0.0; star.dims * star.dims];
        let (kernel, inputs) = (self.factor().kernel(), self.factor().inputs().view());
        kernel.hessian_sum(KernelRow::new(&star.x, inputs), &star.free, weights, &mut hessian);
        hessian
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gp::{Factor, Scale};
    use crate::kernel::Kernel;

    fn posterior(kernel: Kernel) -> Posterior {
        let scale = Scale { centre: 3.0, spread: 2.5 };
        let mut posterior = Posterior::new(Factor::new(kernel, 3).unwrap(), vec![scale]);
        for i in 0..12 {
            let at = |k: f64| (k * f64::from(i) + 0.1).fract();
            let y = (5.0 * at(0.37)).sin() + 3.0;
            posterior.observe(&[at(0.37), at(0.71), at(0.53)], &[y], 0.05).unwrap();
        }
        posterior
    }

    /// Both expansions against the posterior itself, a small step away: the error is of third order.
    #[test]
    fn an_expansion_is_right_to_third_order() {
        let kernels = [
            Kernel::squared_exponential([0.4, 0.3, 0.5]),
            Kernel::matern52([0.4, 0.3, 0.5]),
            Kernel::linear(0.7, [0.4, 0.3, 0.5]),
        ];
        for kernel in kernels {
            let posterior = posterior(kernel);
            let x = [0.31, 0.62, 1.0];
            let star = posterior.star(&x, &[0, 2]);
            let mean = &posterior.expand_means(&star)[0];
            let variance = posterior.expand_variances(&[star])[0].clone().scaled(2.5 * 2.5);
            let error = |h: f64| {
                let step = [h, -0.7 * h];
                let truth = posterior.predict(&[x[0] + step[0], x[1], x[2] + step[1]]).unwrap();
                let (m, v) = (truth.mean[0], truth.deviation[0].powi(2));
                (mean.at(&step) - m).abs().max((variance.at(&step) - v).abs())
            };
            assert!(error(0.0) < 1e-12);
            assert!(error(1e-2) < 1e-3 && error(1e-3) < 2e-6, "{} {}", error(1e-2), error(1e-3));
            let slope: Vec<f64> = mean.slope(&[0.0, 0.0]).collect();
            let exact = posterior.predict_with_gradient(&x).unwrap();
            assert!((slope[0] - exact.mean[0][0]).abs() < 1e-10);
            assert!((slope[1] - exact.mean[0][2]).abs() < 1e-10);
        }
    }
}
