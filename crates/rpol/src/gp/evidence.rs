//! How well hyper-parameters explain the data, and the fit that makes them explain it best.
//!
//! The evidence of merged rows equals that of the single observations. A row of $c$ observations
//! with mean $\bar y$, scatter $S = \sum (y - \bar y)^2$ and unknown common noise $\lambda$ enters
//! the matrix with $\lambda/c$ and adds
//!
//! $$-\tfrac12\Bigl(\frac S\lambda + (c-1)\ln 2\pi\lambda + \ln c\Bigr)$$
//!
//! to $\ln p(y)$, whose derivative in $\ln\lambda$ is $\tfrac12(S/\lambda - (c-1))$: repeats teach
//! the noise directly. Observations with their own noise merge as $N(y \mid f, v) N(m \mid f, u) =
//! N(y - m \mid 0, v + u) N(\cdot \mid f, vu/(v+u))$.

use super::scale::Scale;
use crate::error::{Error, Result};
use crate::finite::all_finite;
use crate::kernel::{Covariance, Kernel, KernelRow};
use crate::linalg::{Cholesky, dot};
use crate::points::Points;
use std::f64::consts::TAU;

/// What was seen of one output, repeats merged into one row with their count, mean and scatter.
///
/// Values are kept in standard units from the start: squares of raw ones could overflow.
/// Observations with a noise variance of their own are kept apart from those that share the unknown
/// noise, so every row's noise is either $\lambda/c$ or known.
#[derive(Debug, Clone)]
pub struct Data {
    inputs: Points,
    scale: Scale,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    mean: f64,
    noise: Noise,
    /// $\sum (y - \bar y)^2$ of a shared row; what does not depend on any parameter of a known one.
    rest: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Noise {
    /// So many observations, each with the noise that is to be learned.
    Shared(f64),
    /// The variance of the merged observations.
    Known(f64),
}

/// Kernel, noise variance and constant mean, in standard units: what the evidence judges.
#[derive(Debug, Clone, PartialEq)]
pub struct Hyper {
    /// The kernel with its hyper-parameters.
    pub kernel: Kernel,
    /// Noise variance $\lambda$ of one observation.
    pub noise: f64,
    /// The constant mean $m$.
    pub mean: f64,
}

impl Data {
    /// No rows yet; `scale` is the unit of the values to come.
    #[must_use]
    pub fn new(dims: usize, scale: Scale) -> Self {
        Self { inputs: Points::new(dims), scale, rows: Vec::new() }
    }

    /// How many coordinates a point has.
    #[must_use]
    pub(crate) fn dims(&self) -> usize {
        self.inputs.dims()
    }

    /// Adds an observation in the output's unit; `variance` is its own noise where it is known.
    pub fn observe(&mut self, x: &[f64], y: f64, variance: Option<f64>) -> Result<()> {
        let spread = self.scale.spread;
        let variance = variance.map(|v| v / spread / spread);
        let y = self.checked(x, y)?;
        variance.map_or(Ok(()), check_variance)?;
        let same = |i: usize| {
            let point = (0..x.len()).all(|d| self.inputs.view().column(d)[i] == x[d]);
            point && matches!(self.rows[i].noise, Noise::Known(_)) == variance.is_some()
        };
        match (0..self.rows.len()).find(|i| same(*i)) {
            Some(i) => self.rows[i].merge(y, variance),
            None => {
                self.inputs.push(x);
                let noise = variance.map_or(Noise::Shared(1.0), Noise::Known);
                self.rows.push(Row { mean: y, noise, rest: 0.0 });
            }
        }
        Ok(())
    }

    /// Adds `count` observations of one input that share the unknown noise: their mean and the root of
    /// $\sum(y - \bar y)^2$, in the output's unit. The input must have no such row yet.
    pub(crate) fn add_shared(
        &mut self,
        x: &[f64],
        count: f64,
        mean: f64,
        scatter: f64,
    ) -> Result<()> {
        let mean = self.checked(x, mean)?;
        let rest = (scatter / self.scale.spread).powi(2);
        self.inputs.push(x);
        self.rows.push(Row { mean, noise: Noise::Shared(count), rest });
        Ok(())
    }

    /// Adds an observation whose noise is known: `variance` in standard units, as in the output's own its square may be
    /// beyond all bounds. What merging took out of the evidence of a merged one is the same for all parameters and left out.
    pub(crate) fn add_known(&mut self, x: &[f64], mean: f64, variance: f64) -> Result<()> {
        let mean = self.checked(x, mean)?;
        check_variance(variance)?;
        self.inputs.push(x);
        self.rows.push(Row { mean, noise: Noise::Known(variance), rest: 0.0 });
        Ok(())
    }

    /// The value in standard units, where it and the point are usable.
    fn checked(&self, x: &[f64], y: f64) -> Result<f64> {
        if x.len() != self.inputs.dims() {
            let (found, expected) = (x.len(), self.inputs.dims());
            return Err(Error::WrongLength { field: "x".into(), found, expected });
        }
        all_finite("x", x)?;
        let y = self.scale.standard(y);
        all_finite("y over its scale", &[y])?;
        Ok(y)
    }

    /// At most `most` rows, evenly spread over the order in which they came.
    pub(crate) fn thinned(&self, most: usize) -> Self {
        let mut thinned = Self::new(self.dims(), self.scale);
        for i in (0..most).map(|i| i * self.len() / most.max(1)) {
            thinned.inputs.push(&self.inputs.point(i));
            thinned.rows.push(self.rows[i]);
        }
        thinned
    }

    /// How many rows: distinct inputs.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn check_variance(variance: f64) -> Result<()> {
    if variance.is_finite() && variance > 0.0 {
        return Ok(());
    }
    let problem = format!("{variance} (in standard units) is not a variance above 0");
    Err(Error::spec("noise", problem))
}

impl Row {
    fn merge(&mut self, y: f64, variance: Option<f64>) {
        let distance = y - self.mean;
        match (&mut self.noise, variance) {
            (Noise::Shared(count), _) => {
                *count += 1.0;
                self.mean += distance / *count;
                self.rest += distance * (y - self.mean);
            }
            (Noise::Known(old), Some(new)) => {
                // N(y|f,v) N(m|f,w) = N(y - m | 0, v + w) N(merged | f, vw/(v+w))
                let sum = *old + new;
                self.rest += distance * distance / sum + (TAU * sum).ln();
                self.mean += distance * (*old / sum);
                *old *= new / sum;
            }
            (Noise::Known(_), None) => unreachable!("rows with known noise merge only known ones"),
        }
    }

    fn noise(&self, shared: f64) -> f64 {
        match self.noise {
            Noise::Shared(count) => shared / count,
            Noise::Known(variance) => variance,
        }
    }

    /// What merging took out of the log likelihood, and its derivative in $\ln\lambda$.
    fn merged_part(&self, shared: f64) -> (f64, f64) {
        match self.noise {
            Noise::Known(_) => (-0.5 * self.rest, 0.0),
            Noise::Shared(count) => {
                let scatter = self.rest / shared;
                let value = -0.5 * (scatter + (count - 1.0) * (TAU * shared).ln() + count.ln());
                (value, 0.5 * (scatter - (count - 1.0)))
            }
        }
    }
}

/// The log marginal likelihood and its gradient.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Evidence {
    /// $\ln p(y)$.
    pub value: f64,
    /// $\partial\ln p(y)/\partial\ln\theta$ for the kernel's hyper-parameters in their order, then
    /// $\ln\lambda$, then the constant mean $m$ itself.
    pub gradient: Vec<f64>,
    /// The largest jitter the covariance matrix needed.
    pub jitter: f64,
}

/// The log marginal likelihood of `data` under `hyper`, with gradient
/// (Rasmussen & Williams 2006, equations 2.30 and 5.9):
///
/// $$\ln p(y) = -\tfrac12 r^\top V^{-1} r - \tfrac12\ln\det V - \tfrac n2\ln 2\pi, \qquad
///   \frac{\partial}{\partial\theta} = \tfrac12\operatorname{tr}\big((\alpha\alpha^\top - V^{-1})
///   \partial V/\partial\theta\big),$$
///
/// $V = K + \Lambda$, $r = y - m$, $\alpha = V^{-1}r$; repeats enter through their mean and scatter,
/// exactly as if they had been kept apart. Costs $n^3$ flops and $n^2$ kernel values.
pub fn evidence(data: &Data, hyper: &Hyper) -> Result<Evidence> {
    evidence_of(data, &Pairs::new(data, &hyper.kernel), hyper)
}

/// The same, for many hyper-parameters of one kernel: `pairs` is made once.
pub(crate) fn evidence_of(data: &Data, pairs: &Pairs, hyper: &Hyper) -> Result<Evidence> {
    let n = data.len();
    let noise: Vec<f64> = data.rows.iter().map(|row| row.noise(hyper.noise)).collect();
    let values = pairs.values(data, &hyper.kernel);
    let cholesky = Cholesky::build(n, |columns, stride| {
        let mut rest = &values[..];
        for j in 0..n {
            let (column, after) = rest.split_at(n - j);
            columns[j * stride + j..j * stride + n].copy_from_slice(column);
            columns[j * stride + j] += noise[j];
            rest = after;
        }
    })?;
    let mut alpha: Vec<f64> = data.rows.iter().map(|row| row.mean - hyper.mean).collect();
    cholesky.solve(&mut alpha);
    let misfit = dot(&alpha, &alpha);
    cholesky.solve_transposed(&mut alpha);

    let mut value = -0.5 * (misfit + cholesky.log_det() + n as f64 * TAU.ln());
    let (weights, diagonal) = gradient_weights(&cholesky, &alpha);
    let mut gradient = pairs.gradient(data, &hyper.kernel, &values, weights);
    let mut by_noise = 0.0;
    for (i, row) in data.rows.iter().enumerate() {
        let (part, slope) = row.merged_part(hyper.noise);
        value += part;
        by_noise += slope;
        if matches!(row.noise, Noise::Shared(_)) {
            by_noise += diagonal[i] * noise[i];
        }
    }
    gradient.extend([by_noise, alpha.iter().sum()]);
    let jitter = cholesky.jitter().iter().fold(0f64, |most, j| most.max(*j));
    Ok(Evidence { value, gradient, jitter })
}

/// What an entry of $V$ changes the evidence by, $\alpha\alpha^\top - V^{-1}$, column by column from the diagonal down: each
/// stands for itself and its mirror image, on the diagonal for half of that. And the diagonal once more.
fn gradient_weights(cholesky: &Cholesky, alpha: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = alpha.len();
    let inverse = cholesky.inverse();
    let (mut weights, mut diagonal) = (Vec::with_capacity(n * (n + 1) / 2), Vec::with_capacity(n));
    for j in 0..n {
        let first = weights.len();
        let column = &inverse[j * n + j..(j + 1) * n];
        weights.extend(alpha[j..].iter().zip(column).map(|(a, v)| a * alpha[j] - v));
        weights[first] *= 0.5;
        diagonal.push(weights[first]);
    }
    (weights, diagonal)
}

/// The lower triangle of the kernel's matrix, column by column.
///
/// Most kernels depend on differences alone. Those of all pairs are kept, so that values and gradients of all of them are one
/// call each: over rows of a few points most of the time would go into calling.
#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    differences: Option<Points>,
}

/// Of more rows than this the differences would take more memory than is near.
const NEAR: usize = 192;

impl Pairs {
    /// For kernels of the structure of this one.
    pub(crate) fn new(data: &Data, kernel: &Kernel) -> Self {
        if data.len() > NEAR || !kernel.is_of_differences() {
            return Self { differences: None };
        }
        let (n, inputs) = (data.len(), data.inputs.view());
        let column = |d: usize| -> Vec<f64> {
            let x = inputs.column(d);
            (0..n).flat_map(|j| x[j..].iter().map(move |y| y - x[j])).collect()
        };
        let columns = (0..inputs.dims()).map(column).collect();
        Self { differences: Some(Points::from_columns(columns, n * (n + 1) / 2)) }
    }

    fn values(&self, data: &Data, kernel: &Kernel) -> Vec<f64> {
        let (n, inputs) = (data.len(), data.inputs.view());
        let mut values = vec![0.0; n * (n + 1) / 2];
        let mut x = vec![0.0; inputs.dims()];
        if let Some(differences) = &self.differences {
            kernel.row(KernelRow::new(&x, differences.view()), &mut values);
            return values;
        }
        let mut rest = &mut values[..];
        for j in 0..n {
            let (column, after) = rest.split_at_mut(n - j);
            inputs.copy_point(j, &mut x);
            kernel.row(KernelRow::new(&x, inputs.range(j..n)), column);
            rest = after;
        }
        values
    }

    /// $\sum w\,\partial k/\partial\ln\theta$ of every hyper-parameter.
    fn gradient(
        &self,
        data: &Data,
        kernel: &Kernel,
        values: &[f64],
        mut weights: Vec<f64>,
    ) -> Vec<f64> {
        let (n, inputs) = (data.len(), data.inputs.view());
        let mut params = vec![0.0; kernel.param_count()];
        let mut x = vec![0.0; inputs.dims()];
        if let Some(differences) = &self.differences {
            // w dk = (w k) d(ln k).
            weights.iter_mut().zip(values).for_each(|(w, k)| *w *= k);
            kernel.log_gradient_sum(KernelRow::new(&x, differences.view()), &weights, &mut params);
            return params;
        }
        let (mut row, mut jacobian) = (vec![0.0; n], vec![0.0; params.len() * n]);
        let mut rest = &weights[..];
        for j in 0..n {
            let m = n - j;
            let (column, after) = rest.split_at(m);
            inputs.copy_point(j, &mut x);
            let jacobian = &mut jacobian[..params.len() * m];
            kernel.param_gradient(KernelRow::new(&x, inputs.range(j..n)), &mut row[..m], jacobian);
            for (p, sum) in params.iter_mut().enumerate() {
                *sum += dot(&jacobian[p * m..(p + 1) * m], column);
            }
            rest = after;
        }
        params
    }
}
