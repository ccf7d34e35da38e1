//! The rational quadratic kernel.

use super::radial::Profile;
use crate::simd::{self, Math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rational quadratic profile $\varphi(r^2) = (1 + r^2 / 2\alpha)^{-\alpha}$: a mixture of
/// squared exponentials of many length scales (Rasmussen & Williams 2006, equation 4.19).
///
/// $r$: distance in length scales; $\alpha > 0$: the smaller, the heavier the tail.
///
/// ```
/// use rpol::Kernel;
/// let rational = Kernel::rational_quadratic(1e8, [1.0]).value(&[0.7], &[0.0]);
/// let limit = Kernel::squared_exponential([1.0]).value(&[0.7], &[0.0]);
/// assert!((rational - limit).abs() < 1e-8);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RationalQuadratic {
    /// Tail parameter $\alpha > 0$.
    pub(crate) alpha: f64,
}

impl RationalQuadratic {
    #[inline(always)]
    fn z(&self, r2: f64) -> f64 {
        (r2 / (2.0 * self.alpha)).min(1e300)
    }
}

impl Profile for RationalQuadratic {
    #[inline(always)]
    fn value<M: Math>(&self, r2: f64) -> f64 {
        simd::exp::<M>(-self.alpha * libm::log1p(self.z(r2)))
    }

    #[inline(always)]
    fn slope<M: Math>(&self, r2: f64) -> f64 {
        -0.5 * self.value::<M>(r2) / (1.0 + self.z(r2))
    }

    const SMOOTH: bool = true;

    #[inline(always)]
    fn curvature<M: Math>(&self, r2: f64) -> f64 {
        let square = (1.0 + self.z(r2)) * (1.0 + self.z(r2));
        0.25 * (1.0 + 1.0 / self.alpha) * self.value::<M>(r2) / square
    }

    fn shape(&self) -> Option<(&'static str, f64)> {
        Some(("alpha", self.alpha))
    }

    fn set_shape(&mut self, value: f64) {
        self.alpha = value;
    }

    #[inline(always)]
    fn shape_gradient<M: Math>(&self, r2: f64) -> f64 {
        let z = self.z(r2);
        self.alpha * self.value::<M>(r2) * (z / (1.0 + z) - libm::log1p(z))
    }
}
