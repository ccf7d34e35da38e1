//! The Matern kernel of smoothness 3/2.

use super::radial::Profile;
use crate::simd::{self, Math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The Matern 3/2 profile $\varphi(r^2) = (1 + \sqrt 3 r) e^{-\sqrt 3 r}$: samples are once
/// differentiable (Rasmussen & Williams 2006, equation 4.17).
///
/// $r$: distance in length scales; $\mathrm d\varphi / \mathrm d(r^2) = -\tfrac32 e^{-\sqrt 3 r}$.
///
/// ```
/// use rpol::Kernel;
/// let at = |k: Kernel| k.value(&[0.2], &[0.0]);
/// // The rougher the kernel, the faster it falls near 0.
/// assert!(at(Kernel::matern12([1.0])) < at(Kernel::matern32([1.0])));
/// assert!(at(Kernel::matern32([1.0])) < at(Kernel::matern52([1.0])));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Matern32 {}

impl Profile for Matern32 {
    #[inline(always)]
    fn value<M: Math>(&self, r2: f64) -> f64 {
        let s = SQRT_3 * r2.sqrt();
        (1.0 + s) * simd::exp::<M>(-s)
    }

    #[inline(always)]
    fn slope<M: Math>(&self, r2: f64) -> f64 {
        -1.5 * simd::exp::<M>(-SQRT_3 * r2.sqrt())
    }
}
