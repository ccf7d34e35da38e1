//! The squared exponential kernel.

use super::radial::Profile;
use crate::simd::{self, Math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The squared exponential (Gaussian, RBF) profile $\varphi(r^2) = e^{-r^2/2}$: samples are
/// infinitely smooth (Rasmussen & Williams 2006, equation 4.9).
///
/// $r$: distance in length scales.
///
/// ```
/// use rpol::Kernel;
/// let k = |r: f64| Kernel::squared_exponential([1.0]).value(&[r], &[0.0]);
/// // It factors over orthogonal steps: 3² + 4² = 5².
/// assert!((k(0.3) * k(0.4) - k(0.5)).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SquaredExponential {}

impl Profile for SquaredExponential {
    #[inline(always)]
    fn value<M: Math>(&self, r2: f64) -> f64 {
        simd::exp::<M>(-0.5 * r2)
    }

    #[inline(always)]
    fn slope<M: Math>(&self, r2: f64) -> f64 {
        -0.5 * simd::exp::<M>(-0.5 * r2)
    }

    #[inline(always)]
    fn log_slope<M: Math>(&self, _r2: f64) -> f64 {
        -0.5
    }

    const SMOOTH: bool = true;

    #[inline(always)]
    fn curvature<M: Math>(&self, r2: f64) -> f64 {
        0.25 * simd::exp::<M>(-0.5 * r2)
    }
}
