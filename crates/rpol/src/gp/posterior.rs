//! The targets' half of the posterior.
//!
//! A repeat lowers one diagonal entry of the factor. A `Posterior` keeps its single observations,
//! so that one can be removed or corrected; a study passes merged ones.

use super::factor::{Change, Factor, check_noise};
use super::scale::Scale;
use crate::error::{Error, Result};
use crate::finite::all_finite;
use crate::kernel::{Covariance, KernelRow};
use crate::linalg::{Step, add_combination, dot, subtract_squares};
use crate::points::PointsView;
use std::sync::OnceLock;

/// Candidates solved together: wide enough for matrix-multiply speed, small enough for the cache.
pub(super) const BATCH: usize = 512;
/// Fewer are solved one by one.
const FEW: usize = 8;

/// What is believed of every output at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// $\mu_q(x)$ of each output, in the output's own unit.
    pub mean: Vec<f64>,
    /// $\sigma_q(x)$ of each output, latent, in the output's own unit.
    pub deviation: Vec<f64>,
}

/// [`Belief`] with its gradients in $x$.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gradient {
    /// The belief itself.
    pub belief: Belief,
    /// $\nabla\mu_q(x)$ of each output.
    pub mean: Vec<Vec<f64>>,
    /// $\nabla\sigma_q(x)$ of each output; zero where $\sigma$ is zero.
    pub deviation: Vec<Vec<f64>>,
}

/// One evaluation: a value for every output, and the variance of its noise.
#[derive(Debug, Clone, PartialEq)]
struct Observation {
    y: Vec<f64>,
    noise: f64,
}

/// A Gaussian process given observations of one or more outputs that share kernel and noise.
///
/// Repeated inputs merge exactly: observations $y_s$ with noise $\lambda_s$ at one $x$ are one point
/// with noise $1/\sum \lambda_s^{-1}$ and the precision-weighted mean, so the factor grows with the
/// number of *distinct* inputs.
///
/// ```
/// use rpol::{Kernel, gp::{Factor, Posterior, Scale}};
/// let factor = Factor::new(Kernel::matern52([0.3]), 1).unwrap();
/// let mut gp = Posterior::new(factor, vec![Scale::default()]);
/// gp.observe(&[0.5], &[1.0], 0.1).unwrap();
/// gp.observe(&[0.5], &[3.0], 0.1).unwrap();
/// assert_eq!(gp.factor().len(), 1);
/// // k = 1 against noise 0.1 / 2: the mean of 1 and 3, shrunk by 1 / 1.05.
/// assert!((gp.predict(&[0.5]).unwrap().mean[0] - 2.0 / 1.05).abs() < 1e-12);
/// ```
#[derive(Debug, Clone)]
pub struct Posterior {
    factor: Factor,
    scales: Vec<Scale>,
    observed: Vec<Vec<Observation>>,
    /// $z_q = L^{-1} y_q$ for each output, in standard units.
    whitened: Vec<Vec<f64>>,
    /// $\alpha_q = L^{-\top} z_q$, when a gradient has asked for it.
    weights: OnceLock<Vec<Vec<f64>>>,
    /// Counts the changes of targets.
    revision: u64,
}

impl Posterior {
    /// Nothing observed yet; one scale an output.
    ///
    /// # Panics
    /// When the factor already has points: their targets would be unknown.
    #[must_use]
    pub fn new(factor: Factor, scales: Vec<Scale>) -> Self {
        assert!(factor.is_empty(), "a posterior begins with an empty factor");
        let whitened = vec![Vec::new(); scales.len()];
        Self {
            factor,
            scales,
            observed: Vec::new(),
            whitened,
            weights: OnceLock::new(),
            revision: 0,
        }
    }

    /// Many observations at once: repeats merged, then one blocked factorisation.
    /// `targets[s]` has a value for every output.
    pub fn build<T: AsRef<[f64]>>(
        factor: Factor,
        scales: Vec<Scale>,
        inputs: PointsView<'_>,
        targets: &[T],
        noise: &[f64],
    ) -> Result<Self> {
        for (field, found) in [("targets", targets.len()), ("noise", noise.len())] {
            if found != inputs.len() {
                return Err(Error::WrongLength {
                    field: field.into(),
                    found,
                    expected: inputs.len(),
                });
            }
        }
        let kernel = factor.kernel().clone();
        let mut posterior = Self::new(factor, scales);
        let mut distinct = crate::points::Points::new(inputs.dims());
        let mut x = vec![0.0; inputs.dims()];
        for (s, (target, noise)) in targets.iter().zip(noise).enumerate() {
            inputs.copy_point(s, &mut x);
            let observation = posterior.observation(&x, target.as_ref(), *noise)?;
            match distinct.find(&x) {
                Some(i) => posterior.observed[i].push(observation),
                None => {
                    distinct.push(&x);
                    posterior.observed.push(vec![observation]);
                }
            }
        }
        let noise = posterior.observed.iter().map(|group| merged_noise(group)).collect();
        posterior.factor = Factor::build(kernel, distinct, noise)?;
        posterior.whiten_targets();
        Ok(posterior)
    }

    /// The inputs' half.
    #[must_use]
    pub fn factor(&self) -> &Factor {
        &self.factor
    }

    /// How many outputs.
    #[must_use]
    pub(crate) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// The unit of each output.
    #[must_use]
    pub(crate) fn scales(&self) -> &[Scale] {
        &self.scales
    }

    /// How many observations, repeats counted.
    #[cfg(test)]
    pub(crate) fn observations(&self) -> usize {
        self.observed.iter().map(Vec::len).sum()
    }

    /// Counts the changes of the targets so far.
    #[must_use]
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// $z_q = L^{-1} y_q$ in standard units.
    #[must_use]
    pub(crate) fn whitened(&self, output: usize) -> &[f64] {
        &self.whitened[output]
    }

    /// Adds one evaluation; `noise` is its variance in standard units.
    pub fn observe(&mut self, x: &[f64], y: &[f64], noise: f64) -> Result<Change> {
        let observation = self.observation(x, y, noise)?;
        let Some(i) = self.factor.inputs().find(x) else { return self.append(x, observation) };
        let merged = 1.0 / (1.0 / self.factor.noise()[i] + 1.0 / noise);
        let change = self.factor.reweight(i, merged)?;
        self.observed[i].push(observation);
        self.whiten_targets();
        Ok(change)
    }

    /// Adds an evaluation at a point that is new.
    pub(crate) fn push(&mut self, x: &[f64], y: &[f64], noise: f64) -> Result<Change> {
        let observation = self.observation(x, y, noise)?;
        self.append(x, observation)
    }

    /// Replaces all that was seen at point `i` by one evaluation; the targets wait for [`retarget`](Self::retarget).
    /// `None` where the factor stays as it is.
    pub(crate) fn replace(&mut self, i: usize, y: &[f64], noise: f64) -> Result<Option<Change>> {
        let observation = self.observation(&self.factor.inputs().point(i), y, noise)?;
        let same = self.factor.noise()[i] == noise;
        let change = if same { None } else { Some(self.factor.reweight(i, noise)?) };
        self.observed[i] = vec![observation];
        self.outdate(i, change.as_ref());
        Ok(change)
    }

    /// Takes point `i` away; the targets wait for [`retarget`](Self::retarget).
    pub(crate) fn remove(&mut self, i: usize) -> Result<Change> {
        let change = self.factor.remove(i)?;
        self.observed.remove(i);
        self.outdate(i, Some(&change));
        Ok(change)
    }

    /// Whitens what [`replace`](Self::replace) and [`remove`](Self::remove) left behind; the first row that is new.
    pub(crate) fn retarget(&mut self, scales: Vec<Scale>) -> usize {
        if self.scales != scales {
            self.scales = scales;
            self.whitened.iter_mut().for_each(Vec::clear);
        }
        let first = self.whitened.first().map_or(0, Vec::len);
        self.whiten_targets_from(first);
        first
    }

    /// Rows from `i` on are no longer whitened; none is by a factor that was recomputed.
    fn outdate(&mut self, i: usize, change: Option<&Change>) {
        let rebuilt = change.is_some_and(|change| matches!(change.step, Step::Rebuild));
        let valid = if rebuilt { 0 } else { i };
        self.whitened.iter_mut().for_each(|z| z.truncate(valid));
    }

    fn append(&mut self, x: &[f64], observation: Observation) -> Result<Change> {
        let change = self.factor.push(x, observation.noise)?;
        self.push_targets(&change.step, &observation.y);
        self.observed.push(vec![observation]);
        Ok(change)
    }

    /// Takes one evaluation back, as if it had never been observed; `None` when there is no such one.
    pub fn forget(&mut self, x: &[f64], y: &[f64], noise: f64) -> Result<Option<Change>> {
        let observation = self.observation(x, y, noise)?;
        let Some(i) = self.factor.inputs().find(x) else { return Ok(None) };
        let Some(k) = self.observed[i].iter().position(|o| *o == observation) else {
            return Ok(None);
        };
        let mut rest = self.observed[i].clone();
        rest.remove(k);
        let change = if rest.is_empty() {
            let change = self.factor.remove(i)?;
            self.observed.remove(i);
            change
        } else {
            let change = self.factor.reweight(i, merged_noise(&rest))?;
            self.observed[i] = rest;
            change
        };
        self.whiten_targets();
        Ok(Some(change))
    }

    /// Replaces the value of one evaluation, as when a late result arrives: no change of the factor,
    /// one triangular solve. `false` when there is no such evaluation.
    pub fn correct(&mut self, x: &[f64], old: &[f64], noise: f64, new: &[f64]) -> Result<bool> {
        let (old, new) = (self.observation(x, old, noise)?, self.observation(x, new, noise)?);
        let group = self.factor.inputs().find(x).map(|i| &mut self.observed[i]);
        let Some(slot) = group.and_then(|group| group.iter_mut().find(|o| **o == old)) else {
            return Ok(false);
        };
        *slot = new;
        self.whiten_targets();
        Ok(true)
    }

    /// Mean and latent deviation at one point: one triangular solve, $n^2$ flops.
    pub fn predict(&self, x: &[f64]) -> Result<Belief> {
        self.factor.check_point(x)?;
        let v = self.factor.whiten(x);
        Ok(self.belief(&v, self.factor.kernel().diagonal(x)))
    }

    /// Mean and latent deviation at one point with gradients in $x$:
    ///
    /// $$\nabla\mu = J^\top\alpha, \qquad
    ///   \nabla\sigma = \frac{\nabla k(x,x) - 2 J^\top (K+\Lambda)^{-1}k(x)}{2\sigma},$$
    ///
    /// where $J$ has the rows $\partial k(x, x_i)/\partial x$.
    pub fn predict_with_gradient(&self, x: &[f64]) -> Result<Gradient> {
        self.factor.check_point(x)?;
        let (n, dims, kernel) = (self.factor.len(), x.len(), self.factor.kernel());
        let mut v = vec![0.0; n];
        let mut jacobian = vec![0.0; dims * n];
        kernel.input_gradient(
            KernelRow::new(x, self.factor.inputs().view()),
            &mut v,
            &mut jacobian,
        );
        self.factor.cholesky().solve(&mut v);
        let belief = self.belief(&v, kernel.diagonal(x));
        self.factor.cholesky().solve_transposed(&mut v);
        let along = |weights: &[f64], d: usize| dot(&jacobian[d * n..(d + 1) * n], weights);

        let mut own = vec![0.0; dims];
        kernel.diagonal_gradient(x, &mut own);
        let variance: Vec<f64> = (0..dims).map(|d| own[d] - 2.0 * along(&v, d)).collect();
        let mut gradient = Gradient { belief, mean: Vec::new(), deviation: Vec::new() };
        for (q, (scale, weights)) in self.scales.iter().zip(self.weights()).enumerate() {
            gradient.mean.push((0..dims).map(|d| scale.spread * along(weights, d)).collect());
            let sigma = gradient.belief.deviation[q] / scale.spread;
            // Divided first: a huge spread over a small deviation could overflow.
            let slope =
                |g: &f64| if sigma > 0.0 { scale.spread * (g / (2.0 * sigma)) } else { 0.0 };
            gradient.deviation.push(variance.iter().map(slope).collect());
        }
        Ok(gradient)
    }

    /// Means (one list an output) and deviations (likewise) at many points, at the speed of a blocked
    /// triangular solve.
    #[must_use]
    pub fn predict_many(&self, points: PointsView<'_>) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut means = vec![Vec::with_capacity(points.len()); self.outputs()];
        let mut deviations = means.clone();
        let (many, few) = parts(points);
        self.whiten_rows(many, |rows, sigmas| {
            for (q, scale) in self.scales.iter().enumerate() {
                let mut sums = vec![0.0; sigmas.len()];
                add_combination(&mut sums, &self.whitened[q], rows);
                means[q].extend(sums.iter().map(|sum| scale.restore(*sum)));
                deviations[q].extend(sigmas.iter().map(|sigma| scale.spread * sigma));
            }
        });
        self.whiten_each(few, |v, sigma| {
            for (q, scale) in self.scales.iter().enumerate() {
                means[q].push(scale.restore(dot(v, &self.whitened[q])));
                deviations[q].push(scale.spread * sigma);
            }
        });
        (means, deviations)
    }

    /// The means alone: no solve, $O(n)$ a point.
    pub(crate) fn mean_many(&self, points: PointsView<'_>) -> Vec<Vec<f64>> {
        let mut row = vec![0.0; self.factor.len()];
        let mut x = vec![0.0; points.dims()];
        let mut means = vec![Vec::with_capacity(points.len()); self.outputs()];
        for j in 0..points.len() {
            points.copy_point(j, &mut x);
            self.factor.kernel().row(KernelRow::new(&x, self.factor.inputs().view()), &mut row);
            for ((mean, weights), scale) in means.iter_mut().zip(self.weights()).zip(&self.scales) {
                mean.push(scale.restore(dot(&row, weights)));
            }
        }
        means
    }

    /// $\sigma$ alone, in standard units.
    pub(crate) fn sigma_many(&self, points: PointsView<'_>) -> Vec<f64> {
        let mut all = Vec::with_capacity(points.len());
        let (many, few) = parts(points);
        self.whiten_rows(many, |_, sigmas| all.extend_from_slice(sigmas));
        self.whiten_each(few, |_, sigma| all.push(sigma));
        all
    }

    /// Calls `take` with the rows of $L^{-1}k(X, C)$ and with $\sigma$ at the points $C$, in standard units, batch after
    /// batch: every loop is along the points, which are many where the factor is small.
    fn whiten_rows(&self, points: PointsView<'_>, mut take: impl FnMut(&[f64], &[f64])) {
        let (n, kernel, inputs) = (self.factor.len(), self.factor.kernel(), self.factor.inputs());
        let mut rows = vec![0.0; n * BATCH.min(points.len())];
        let mut x = vec![0.0; points.dims()];
        for start in (0..points.len()).step_by(BATCH) {
            let batch = points.range(start..points.len().min(start + BATCH));
            let rows = &mut rows[..n * batch.len()];
            kernel.cross(inputs.view(), batch, rows);
            self.factor.cholesky().solve_rows(rows, batch.len());
            let mut prior = |j: usize| {
                batch.copy_point(j, &mut x);
                kernel.diagonal(&x)
            };
            let mut sigmas: Vec<f64> = (0..batch.len()).map(&mut prior).collect();
            for row in rows.chunks_exact(batch.len()) {
                subtract_squares(&mut sigmas, row);
            }
            sigmas.iter_mut().for_each(|v| *v = v.max(0.0).sqrt());
            take(rows, &sigmas);
        }
    }

    /// Calls `take` with $L^{-1}k(x)$ and $\sigma(x)$, in standard units, of every point in turn: a few points by themselves
    /// cost less than rows that are mostly empty.
    fn whiten_each(&self, points: PointsView<'_>, mut take: impl FnMut(&[f64], f64)) {
        let (kernel, inputs) = (self.factor.kernel(), self.factor.inputs());
        let (mut v, mut x) = (vec![0.0; self.factor.len()], vec![0.0; points.dims()]);
        for j in 0..points.len() {
            points.copy_point(j, &mut x);
            kernel.row(KernelRow::new(&x, inputs.view()), &mut v);
            self.factor.cholesky().solve(&mut v);
            take(&v, (kernel.diagonal(&x) - dot(&v, &v)).max(0.0).sqrt());
        }
    }

    fn belief(&self, v: &[f64], prior: f64) -> Belief {
        let sigma = (prior - dot(v, v)).max(0.0).sqrt();
        let outputs = self.scales.iter().zip(&self.whitened);
        Belief {
            mean: outputs.map(|(scale, z)| scale.restore(dot(v, z))).collect(),
            deviation: self.scales.iter().map(|scale| scale.spread * sigma).collect(),
        }
    }

    pub(super) fn weights(&self) -> &[Vec<f64>] {
        self.weights.get_or_init(|| {
            let mut weights = self.whitened.clone();
            weights.iter_mut().for_each(|w| self.factor.cholesky().solve_transposed(w));
            weights
        })
    }

    fn observation(&self, x: &[f64], y: &[f64], noise: f64) -> Result<Observation> {
        self.factor.check_point(x)?;
        check_noise(noise)?;
        all_finite("y", y)?;
        if y.len() != self.outputs() {
            let (found, expected) = (y.len(), self.outputs());
            return Err(Error::WrongLength { field: "y".into(), found, expected });
        }
        let standard = self.scales.iter().zip(y).map(|(s, y)| s.standard(*y));
        all_finite("y over its scale", &standard.collect::<Vec<_>>())?;
        Ok(Observation { y: y.to_vec(), noise })
    }

    /// A push extends $z$ by $(y - w^\top z)/d$.
    fn push_targets(&mut self, step: &Step, y: &[f64]) {
        self.revision += 1;
        self.weights.take();
        if let Step::Push { w, d } = step {
            for ((z, y), scale) in self.whitened.iter_mut().zip(y).zip(&self.scales) {
                z.push((scale.standard(*y) - dot(w, z)) / d);
            }
        }
    }

    fn whiten_targets(&mut self) {
        self.whiten_targets_from(0);
    }

    /// Whitens the targets from row `first` on: those before are.
    fn whiten_targets_from(&mut self, first: usize) {
        self.revision += 1;
        self.weights.take();
        for q in 0..self.whitened.len() {
            let mut z = std::mem::take(&mut self.whitened[q]);
            z.truncate(first);
            z.extend((first..self.observed.len()).map(|i| self.target(i, q)));
            self.factor.cholesky().solve_rest(first, &mut z);
            self.whitened[q] = z;
        }
    }

    /// What was observed of an output at point `i`, in standard units.
    pub(super) fn target(&self, i: usize, q: usize) -> f64 {
        let scale = self.scales[q];
        merged_value(&self.observed[i], |o| scale.standard(o.y[q]))
    }
}

fn merged_noise(group: &[Observation]) -> f64 {
    match group {
        [single] => single.noise,
        _ => 1.0 / group.iter().map(|o| 1.0 / o.noise).sum::<f64>(),
    }
}

fn merged_value(group: &[Observation], value: impl Fn(&Observation) -> f64) -> f64 {
    match group {
        [single] => value(single),
        _ => {
            let noise = merged_noise(group);
            group.iter().map(|o| value(o) * (noise / o.noise)).sum()
        }
    }
}

/// The points that are solved together, and those at the end that are too few for it: of whole batches, so that what is
/// said of a point does not depend on how many others are asked about by the same or another thread.
fn parts(points: PointsView<'_>) -> (PointsView<'_>, PointsView<'_>) {
    let rest = points.len() % BATCH;
    let many = points.len() - if rest < FEW { rest } else { 0 };
    (points.range(0..many), points.range(many..points.len()))
}
