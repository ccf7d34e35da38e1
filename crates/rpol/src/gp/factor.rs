//! The inputs' half of the posterior.
//!
//! After every $\max(64, n)$ rotations a probe compares $L$ with the matrix it stands for: the
//! largest entry of `$|(LL^\top - K - \Lambda)s|$` for a vector $s$ of signs, as a share of the
//! largest diagonal entry. Above `$10^{-11}$` the factor is rebuilt and riders solve again. The
//! probe costs as much as one rotation step.

use crate::error::{Error, Result};
use crate::finite::all_finite;
use crate::kernel::{Covariance, Kernel, KernelRow};
use crate::linalg::{Cholesky, Step};
use crate::points::{Points, PointsView};

/// Rounding may spoil the factor by this share of the largest diagonal entry before it is rebuilt.
const DRIFT: f64 = 1e-11;
/// The factor is probed after this many rotations, or after $n$ if that is more: the probe costs
/// $O(n^2)$, so it is free when spread over them.
const PROBE_AFTER: usize = 64;

/// Inputs, their noise, and the Cholesky factor $L$ of $K + \Lambda$.
///
/// ```
/// use rpol::{Kernel, gp::Factor};
/// let mut factor = Factor::new(Kernel::squared_exponential([0.3]), 1).unwrap();
/// factor.push(&[0.2], 0.1).unwrap();
/// let before = factor.deviation(&[0.5]);
/// factor.push(&[0.6], 0.1).unwrap();
/// assert!(factor.deviation(&[0.5]) < before); // knowing more never widens the band
/// ```
#[derive(Debug, Clone)]
pub struct Factor {
    kernel: Kernel,
    inputs: Points,
    noise: Vec<f64>,
    cholesky: Cholesky,
    version: u64,
    rotated: usize,
}

/// A change of a [`Factor`], for whatever rides on it.
#[derive(Debug, Clone)]
pub struct Change {
    /// What happened to $L$.
    pub(crate) step: Step,
    /// The factor's version after it: one more than before.
    pub(crate) version: u64,
}

impl Factor {
    /// No points yet.
    pub fn new(kernel: Kernel, dims: usize) -> Result<Self> {
        kernel.validate(dims)?;
        Ok(Self {
            kernel,
            inputs: Points::new(dims),
            noise: Vec::new(),
            cholesky: Cholesky::default(),
            version: 0,
            rotated: 0,
        })
    }

    /// All points at once, at the speed of one blocked factorisation.
    pub fn build(kernel: Kernel, inputs: Points, noise: Vec<f64>) -> Result<Self> {
        let mut factor = Self::new(kernel, inputs.dims())?;
        if noise.len() != inputs.len() {
            let (found, expected) = (noise.len(), inputs.len());
            return Err(Error::WrongLength { field: "noise".into(), found, expected });
        }
        noise.iter().try_for_each(|v| check_noise(*v))?;
        (0..inputs.dims()).try_for_each(|d| all_finite("x", inputs.view().column(d)))?;
        factor.cholesky = decompose(&factor.kernel, inputs.view(), &noise)?;
        (factor.inputs, factor.noise) = (inputs, noise);
        Ok(factor)
    }

    /// How many points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// How many coordinates a point has.
    #[must_use]
    pub fn dims(&self) -> usize {
        self.inputs.dims()
    }

    /// The inputs, in the order of the rows of $L$.
    #[must_use]
    pub fn inputs(&self) -> &Points {
        &self.inputs
    }

    /// The noise variance of each point, $\Lambda$.
    #[must_use]
    pub(crate) fn noise(&self) -> &[f64] {
        &self.noise
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// $L$.
    #[must_use]
    pub(crate) fn cholesky(&self) -> &Cholesky {
        &self.cholesky
    }

    /// Counts the changes so far.
    #[must_use]
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The largest jitter any point needed: 0 when the matrix was definite as given.
    #[cfg(test)]
    pub(crate) fn jitter(&self) -> f64 {
        self.cholesky.jitter().iter().fold(0.0, |most, j| most.max(*j))
    }

    /// The realised information gain $\tfrac12 \ln\det(I + \Lambda^{-1}K)$, free from $L$.
    #[must_use]
    pub fn gain(&self) -> f64 {
        let noise: f64 =
            self.noise.iter().zip(self.cholesky.jitter()).map(|(v, j)| (v + j).ln()).sum();
        0.5 * (self.cholesky.log_det() - noise).max(0.0)
    }

    /// Appends a point: one triangular solve.
    pub fn push(&mut self, x: &[f64], noise: f64) -> Result<Change> {
        self.check_point(x)?;
        check_noise(noise)?;
        let mut row = vec![0.0; self.len()];
        self.kernel.row(KernelRow::new(x, self.inputs.view()), &mut row);
        let step = self.cholesky.push(row, self.kernel.diagonal(x) + noise)?;
        self.inputs.push(x);
        self.noise.push(noise);
        Ok(self.changed(step))
    }

    /// Removes point `i`, as if it had never been pushed.
    pub fn remove(&mut self, i: usize) -> Result<Change> {
        self.check_index(i)?;
        let step = self.cholesky.remove(i);
        self.inputs.remove(i);
        self.noise.remove(i);
        Ok(self.rotation(step))
    }

    /// Gives point `i` another noise variance.
    pub(crate) fn reweight(&mut self, i: usize, noise: f64) -> Result<Change> {
        self.check_index(i)?;
        check_noise(noise)?;
        let change = noise - self.noise[i];
        match self.cholesky.reweight(i, change) {
            Ok(step) => {
                self.noise[i] = noise;
                Ok(self.rotation(step))
            }
            Err(_) => {
                let mut noises = self.noise.clone();
                noises[i] = noise;
                self.rebuild(noises)
            }
        }
    }

    /// Replaces every noise variance and factors again.
    fn rebuild(&mut self, noise: Vec<f64>) -> Result<Change> {
        self.cholesky = decompose(&self.kernel, self.inputs.view(), &noise)?;
        self.noise = noise;
        self.rotated = 0;
        Ok(self.changed(Step::Rebuild))
    }

    /// Solves $LX = B$ in place, where `columns` are those of $B$ one after another.
    ///
    /// # Panics
    /// When the length of `columns` is no multiple of the number of points.
    pub fn solve(&self, columns: &mut [f64]) {
        self.cholesky.solve(columns);
    }

    /// $v = L^{-1} k(x)$, so that $\sigma^2(x) = k(x,x) - v^\top v$ and $\mu(x) = v^\top z$.
    #[must_use]
    pub fn whiten(&self, x: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; self.len()];
        self.kernel.row(KernelRow::new(x, self.inputs.view()), &mut v);
        self.cholesky.solve(&mut v);
        v
    }

    /// Latent deviation $\sigma(x)$.
    #[must_use]
    pub fn deviation(&self, x: &[f64]) -> f64 {
        let v = self.whiten(x);
        (self.kernel.diagonal(x) - crate::linalg::dot(&v, &v)).max(0.0).sqrt()
    }

    /// Largest entry of $|(LL^\top - K - \Lambda)s|$ for a vector $s$ of signs, over the largest
    /// diagonal entry: how far rounding has taken the factor from the matrix it stands for.
    #[must_use]
    pub(crate) fn drift(&self) -> f64 {
        let n = self.len();
        let sign = |i: usize| if (i.wrapping_mul(0x9E37_79B9) >> 7) & 1 == 0 { 1.0 } else { -1.0 };
        let signs: Vec<f64> = (0..n).map(sign).collect();
        let product = self.cholesky.multiply(&signs);
        let (mut row, mut x) = (vec![0.0; n], vec![0.0; self.dims()]);
        let (mut worst, mut scale) = (0f64, f64::MIN_POSITIVE);
        for i in 0..n {
            self.inputs.view().copy_point(i, &mut x);
            self.kernel.row(KernelRow::new(&x, self.inputs.view()), &mut row);
            let extra = self.noise[i] + self.cholesky.jitter()[i];
            let exact = crate::linalg::dot(&row, &signs) + extra * signs[i];
            worst = worst.max((exact - product[i]).abs());
            scale = scale.max(row[i] + extra);
        }
        worst / scale
    }

    /// Largest entry of $|LL^\top - K - \Lambda|$, every one computed: $O(n^3)$, for reports.
    pub(crate) fn rounding(&self) -> f64 {
        let n = self.len();
        let (mut row, mut x) = (vec![0.0; n], vec![0.0; self.dims()]);
        let (mut unit, mut worst) = (vec![0.0; n], 0f64);
        for i in 0..n {
            self.inputs.view().copy_point(i, &mut x);
            self.kernel.row(KernelRow::new(&x, self.inputs.view()), &mut row);
            row[i] += self.noise[i] + self.cholesky.jitter()[i];
            unit[i] = 1.0;
            let product = self.cholesky.multiply(&unit);
            unit[i] = 0.0;
            worst = row.iter().zip(product).map(|(k, p)| (k - p).abs()).fold(worst, f64::max);
        }
        worst
    }

    /// Notes a rotation. Where rounding has taken the factor too far it is recomputed; if even that
    /// fails, what the rotations left stands, and the next probe tries again.
    fn rotation(&mut self, step: Step) -> Change {
        self.rotated += 1;
        if self.rotated > PROBE_AFTER.max(self.len()) {
            self.rotated = 0;
            if self.drift() > DRIFT
                && let Ok(change) = self.rebuild(self.noise.clone())
            {
                return change;
            }
        }
        self.changed(step)
    }

    fn changed(&mut self, step: Step) -> Change {
        self.version += 1;
        Change { step, version: self.version }
    }

    pub(crate) fn check_point(&self, x: &[f64]) -> Result<()> {
        if x.len() != self.dims() {
            let (found, expected) = (x.len(), self.dims());
            return Err(Error::WrongLength { field: "x".into(), found, expected });
        }
        all_finite("x", x)
    }

    fn check_index(&self, i: usize) -> Result<()> {
        if i < self.len() {
            return Ok(());
        }
        let (value, high) = (i as f64, self.len() as f64 - 1.0);
        Err(Error::OutOfBounds { field: "point".into(), value, low: 0.0, high })
    }
}

pub(super) fn check_noise(noise: f64) -> Result<()> {
    if noise.is_finite() && noise > 0.0 {
        return Ok(());
    }
    Err(Error::spec("noise", format!("{noise} is not a variance: give a finite number above 0")))
}

fn decompose(kernel: &Kernel, inputs: PointsView<'_>, noise: &[f64]) -> Result<Cholesky> {
    Cholesky::build(inputs.len(), |columns, stride| {
        kernel.gram(inputs, columns, stride);
        for (i, noise) in noise.iter().enumerate() {
            columns[i * stride + i] += noise;
        }
    })
}
