//! A fixed candidate set that follows the posterior.
//!
//! A pool that missed a change would be wrong without a sign of it. So every change carries the
//! factor's version, and a pool that is not exactly one behind solves again. [`Posterior::correct`]
//! and [`Posterior::rescale`] leave the factor as it is and count as revisions of the targets:
//! [`Pool::retarget`] follows them.

use super::factor::Change;
use super::posterior::Posterior;
use crate::kernel::{Covariance, KernelRow};
use crate::linalg::{Followed, Riders, Step, add_scaled};
use crate::points::Points;

/// Candidates whose mean and deviation follow every push, remove and reweight at $O(n)$ a candidate.
///
/// The rows $L^{-1}k(X, C)$ ride on the factor: for a new observation only one more row of them is
/// computed, one pass over $8nm$ bytes, where solving again costs $n^2m$ flops.
///
/// ```
/// use rpol::{Kernel, Points, gp::{Factor, Pool, Posterior, Scale}};
/// let mut gp = Posterior::new(Factor::new(Kernel::matern52([0.3]), 1).unwrap(), vec![Scale::default()]);
/// let mut pool = Pool::new(Points::from_rows(1, &[[0.1], [0.6]]), &gp);
/// let change = gp.observe(&[0.5], &[1.0], 0.1).unwrap();
/// pool.follow(&gp, &change);
/// let belief = gp.predict(&[0.6]).unwrap();
/// assert!((pool.mean(0)[1] - belief.mean[0]).abs() < 1e-12);
/// assert!((pool.deviation(0)[1] - belief.deviation[0]).abs() < 1e-12);
/// ```
#[derive(Debug, Clone)]
pub struct Pool {
    candidates: Points,
    rows: Riders,
    /// Standard units, one list an output.
    means: Vec<Vec<f64>>,
    variance: Vec<f64>,
    scales: Vec<super::Scale>,
    version: u64,
    /// Of the posterior's targets.
    revision: u64,
}

impl Pool {
    /// Solves for every candidate once.
    #[must_use]
    pub fn new(candidates: Points, posterior: &Posterior) -> Self {
        let rows = Riders::solve(posterior.factor().cholesky(), 0, |_, _, _| ());
        let scales = posterior.scales().to_vec();
        let (means, variance) = (Vec::new(), Vec::new());
        let mut pool = Self { candidates, rows, means, variance, scales, version: 0, revision: 0 };
        pool.refresh(posterior);
        pool
    }

    /// The candidates.
    #[must_use]
    pub fn candidates(&self) -> &Points {
        &self.candidates
    }

    /// $\mu_q$ at every candidate, in the output's unit.
    #[must_use]
    pub fn mean(&self, output: usize) -> Vec<f64> {
        let scale = self.scales[output];
        self.means[output].iter().map(|m| scale.restore(*m)).collect()
    }

    /// $\sigma_q$ at every candidate, latent, in the output's unit.
    #[must_use]
    pub fn deviation(&self, output: usize) -> Vec<f64> {
        let spread = self.scales[output].spread;
        self.sigma().into_iter().map(|sigma| spread * sigma).collect()
    }

    /// $\sigma$ at every candidate, in standard units.
    #[must_use]
    pub(crate) fn sigma(&self) -> Vec<f64> {
        self.variance.iter().map(|v| v.max(0.0).sqrt()).collect()
    }

    /// Posterior covariance between `x` and every candidate, in standard units: one pass over the rows.
    #[must_use]
    pub(crate) fn covariances(&self, posterior: &Posterior, x: &[f64]) -> Vec<f64> {
        let mut covariances = vec![0.0; self.candidates.len()];
        posterior
            .factor()
            .kernel()
            .row(KernelRow::new(x, self.candidates.view()), &mut covariances);
        let explained = self.rows.combine(&posterior.factor().whiten(x));
        covariances.iter_mut().zip(explained).for_each(|(c, e)| *c -= e);
        covariances
    }

    /// Follows one change of the posterior's factor. A pool that missed a change solves again.
    pub fn follow(&mut self, posterior: &Posterior, change: &Change) {
        if change.version != self.version + 1 || change.version != posterior.factor().version() {
            return self.refresh(posterior);
        }
        let mut pushed = Vec::new();
        if matches!(change.step, Step::Push { .. }) {
            let inputs = posterior.factor().inputs();
            pushed = vec![0.0; self.candidates.len()];
            let x = inputs.point(inputs.len() - 1);
            posterior
                .factor()
                .kernel()
                .row(KernelRow::new(&x, self.candidates.view()), &mut pushed);
        }
        match self.rows.follow(&change.step, &pushed) {
            Some(Followed::Appended(row)) => {
                self.variance.iter_mut().zip(&row).for_each(|(v, r)| *v -= r * r);
                if posterior.revision() == self.revision + 1 {
                    let last = self.rows.len() - 1;
                    for (q, mean) in self.means.iter_mut().enumerate() {
                        add_scaled(mean, posterior.whitened(q)[last], &row);
                    }
                } else {
                    // Targets changed in between: the means are not a row more, but all new.
                    self.retarget_means(posterior);
                }
            }
            Some(Followed::Rotated(norms)) => {
                self.variance.iter_mut().zip(&norms).for_each(|(v, n)| *v -= n);
                self.retarget_means(posterior);
            }
            None => return self.refresh(posterior),
        }
        self.version = change.version;
        self.revision = posterior.revision();
    }

    /// Follows a change of the factor whose targets are still to come: the deviations only.
    pub(crate) fn ride(&mut self, posterior: &Posterior, change: &Change) {
        let next = change.version == self.version + 1;
        let followed = if next { self.rows.follow(&change.step, &[]) } else { None };
        match followed {
            Some(Followed::Rotated(norms)) => {
                self.variance.iter_mut().zip(&norms).for_each(|(v, n)| *v -= n);
                self.version = change.version;
            }
            _ => self.refresh(posterior),
        }
    }

    /// Takes the rows from `first` on out of the means: they are about to change.
    pub(crate) fn drop_rows(&mut self, posterior: &Posterior, first: usize) {
        self.combine_rows(posterior, first, -1.0);
    }

    /// Puts the rows from `first` on into the means.
    pub(crate) fn add_rows(&mut self, posterior: &Posterior, first: usize) {
        self.combine_rows(posterior, first, 1.0);
        self.revision = posterior.revision();
    }

    fn combine_rows(&mut self, posterior: &Posterior, first: usize, sign: f64) {
        for (q, mean) in self.means.iter_mut().enumerate() {
            let part = self.rows.combine_from(first, &posterior.whitened(q)[first..]);
            add_scaled(mean, sign, &part);
        }
    }

    /// Follows new targets on unchanged inputs: one pass over the rows for each output.
    pub(crate) fn retarget(&mut self, posterior: &Posterior) {
        if self.version == posterior.factor().version() {
            self.retarget_means(posterior);
        } else {
            self.refresh(posterior);
        }
    }

    /// Solves again: after a rebuild, or with another posterior.
    pub fn refresh(&mut self, posterior: &Posterior) {
        let factor = posterior.factor();
        let mut x = vec![0.0; self.candidates.dims()];
        let (candidates, count) = (self.candidates.view(), self.candidates.len());
        self.rows = Riders::solve(factor.cholesky(), count, |i, columns, row| {
            factor.inputs().view().copy_point(i, &mut x);
            factor.kernel().row(KernelRow::new(&x, candidates.range(columns)), row);
        });
        self.variance = self.rows.squared_norms();
        for (j, v) in self.variance.iter_mut().enumerate() {
            self.candidates.view().copy_point(j, &mut x);
            *v = factor.kernel().diagonal(&x) - *v;
        }
        self.retarget_means(posterior);
        self.version = factor.version();
    }

    fn retarget_means(&mut self, posterior: &Posterior) {
        self.scales = posterior.scales().to_vec();
        self.revision = posterior.revision();
        self.means =
            (0..posterior.outputs()).map(|q| self.rows.combine(posterior.whitened(q))).collect();
    }
}
