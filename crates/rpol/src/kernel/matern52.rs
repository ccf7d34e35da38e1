//! The Matern kernel of smoothness 5/2.

use super::radial::Profile;
use crate::simd::{self, Math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SQRT_5: f64 = 2.236_067_977_499_79;

/// The Matern 5/2 profile $\varphi(r^2) = (1 + \sqrt 5 r + \tfrac53 r^2) e^{-\sqrt 5 r}$:
/// samples are twice differentiable (Rasmussen & Williams 2006, equation 4.17).
///
/// $r$: distance in length scales;
/// $\mathrm d\varphi / \mathrm d(r^2) = -\tfrac56 (1 + \sqrt 5 r) e^{-\sqrt 5 r}$.
///
/// ```
/// use rpol::Kernel;
/// let k = |x: f64, l: f64| Kernel::matern52([l]).value(&[x], &[0.0]);
/// // Only the distance in length scales counts.
/// assert_eq!(k(0.5, 1.0), k(2.0, 4.0));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Matern52 {}

impl Profile for Matern52 {
    #[inline(always)]
    fn value<M: Math>(&self, r2: f64) -> f64 {
        let s = SQRT_5 * r2.sqrt();
        M::mul_add(5.0 / 3.0, r2, 1.0 + s) * simd::exp::<M>(-s)
    }

    #[inline(always)]
    fn slope<M: Math>(&self, r2: f64) -> f64 {
        let s = SQRT_5 * r2.sqrt();
        -5.0 / 6.0 * (1.0 + s) * simd::exp::<M>(-s)
    }

    #[inline(always)]
    fn log_slope<M: Math>(&self, r2: f64) -> f64 {
        let s = SQRT_5 * r2.sqrt();
        -5.0 / 6.0 * (1.0 + s) / M::mul_add(5.0 / 3.0, r2, 1.0 + s)
    }

    const SMOOTH: bool = true;

    #[inline(always)]
    fn curvature<M: Math>(&self, r2: f64) -> f64 {
        25.0 / 12.0 * simd::exp::<M>(-SQRT_5 * r2.sqrt())
    }
}
