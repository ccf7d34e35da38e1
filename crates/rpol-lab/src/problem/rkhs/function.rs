//! One function of the RKHS, by its centres and weights.

use super::RkhsError;

/// A stationary kernel with $k(x,x) = 1$, as a scalar formula of $r = \lVert x - z\rVert$ and the lengthscale $u$.
///
/// Kept apart from `rpol::Kernel` on purpose: what verifies the library should not share its arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelKind {
    /// $k = e^{-r^2/(2u^2)}$ (paper, Problem Formulation).
    SquaredExponential,
    /// $k = (1 + s + s^2/3) e^{-s}$ with $s = \sqrt5 r/u$ (Rasmussen and Williams 2006, eq. 4.17).
    Matern52,
}

impl KernelKind {
    /// $k(x, z)$.
    pub fn value(self, lengthscale: f64, x: &[f64], z: &[f64]) -> f64 {
        let ratio = square_distance(x, z) / (lengthscale * lengthscale);
        match self {
            Self::SquaredExponential => (-0.5 * ratio).exp(),
            Self::Matern52 => {
                let s = (5.0 * ratio).sqrt();
                (1.0 + s + s * s / 3.0) * (-s).exp()
            }
        }
    }
}

fn square_distance(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// $f = \sum_i \alpha_i k(z_i, \cdot)$ with $\lVert f\rVert_k^2 = \alpha^\top K \alpha$, $K_{ij} = k(z_i, z_j)$.
///
/// By Cauchy-Schwarz and $k(x,x) = 1$, $|f(x)| \le \lVert f\rVert_k$ everywhere:
///
/// ```
/// use rpol_lab::problem::{KernelKind, RkhsFunction};
/// let f = RkhsFunction::new(KernelKind::Matern52, 0.3, vec![vec![0.2], vec![0.7]], vec![1.0, -2.0], 3.0)?;
/// assert!((f.norm() - 3.0).abs() < 1e-12);
/// assert!((0..100).all(|i| f.value(&[f64::from(i) / 100.0]).abs() <= f.norm()));
/// # Ok::<(), rpol_lab::problem::RkhsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RkhsFunction {
    kind: KernelKind,
    lengthscale: f64,
    centres: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl RkhsFunction {
    /// The function with these centres, and these weights scaled to make its norm `norm`.
    pub fn new(
        kind: KernelKind,
        lengthscale: f64,
        centres: Vec<Vec<f64>>,
        weights: Vec<f64>,
        norm: f64,
    ) -> Result<Self, RkhsError> {
        positive("lengthscale", lengthscale)?;
        positive("norm", norm)?;
        paired(&centres, &weights)?;
        let mut function = Self { kind, lengthscale, centres, weights };
        let drawn = function.norm();
        if !(drawn.is_finite() && drawn > 0.0) {
            return Err(RkhsError::Zero);
        }
        function.weights.iter_mut().for_each(|a| *a *= norm / drawn);
        Ok(function)
    }

    /// $f(x)$.
    pub fn value(&self, x: &[f64]) -> f64 {
        self.terms().map(|(a, z)| a * self.kind.value(self.lengthscale, x, z)).sum()
    }

    /// $\lVert f\rVert_k = \sqrt{\alpha^\top K \alpha}$, from the scaled weights.
    pub fn norm(&self) -> f64 {
        self.terms().map(|(a, z)| a * self.value(z)).sum::<f64>().max(0.0).sqrt()
    }

    /// Number of coordinates.
    pub fn dims(&self) -> usize {
        self.centres[0].len()
    }

    /// The kernel's lengthscale $u$.
    pub fn lengthscale(&self) -> f64 {
        self.lengthscale
    }

    /// The $z_i$.
    pub fn centres(&self) -> &[Vec<f64>] {
        &self.centres
    }

    /// The $\alpha_i$, scaled.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn terms(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.weights.iter().copied().zip(self.centres.iter().map(Vec::as_slice))
    }
}

pub(super) fn positive(field: &'static str, value: f64) -> Result<(), RkhsError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(RkhsError::NotPositive { field, value })
    }
}

fn paired(centres: &[Vec<f64>], weights: &[f64]) -> Result<(), RkhsError> {
    if centres.is_empty() || centres.len() != weights.len() {
        return Err(RkhsError::Unpaired { centres: centres.len(), weights: weights.len() });
    }
    let wanted = centres[0].len();
    match centres.iter().position(|z| z.len() != wanted) {
        Some(index) => Err(RkhsError::Ragged { index, found: centres[index].len(), wanted }),
        None => Ok(()),
    }
}
