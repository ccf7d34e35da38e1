//! The Matern kernel of smoothness 1/2.

use super::radial::Profile;
use crate::simd::{self, Math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The Matern 1/2 (exponential) profile $\varphi(r^2) = e^{-r}$: samples are continuous and nowhere
/// differentiable (Rasmussen & Williams 2006, equation 4.17 and page 85).
///
/// $r$: distance in length scales. The kernel has a kink at $r = 0$; its gradient is 0 there by
/// convention.
///
/// ```
/// use rpol::Kernel;
/// let k = |r: f64| Kernel::matern12([1.0]).value(&[r], &[0.0]);
/// // Markov on the line: correlations multiply along it.
/// assert!((k(0.3) * k(0.4) - k(0.7)).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Matern12 {}

impl Profile for Matern12 {
    #[inline(always)]
    fn value<M: Math>(&self, r2: f64) -> f64 {
        simd::exp::<M>(-r2.sqrt())
    }

    #[inline(always)]
    fn slope<M: Math>(&self, r2: f64) -> f64 {
        let r = r2.sqrt();
        let slope = -0.5 * simd::exp::<M>(-r) / r;
        if r > 0.0 { slope } else { 0.0 }
    }
}
