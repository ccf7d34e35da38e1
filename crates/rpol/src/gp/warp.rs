//! Output transforms: what a limit's metric is modelled as.

use serde::{Deserialize, Serialize};

/// Ratios of a metric to its limit below this are taken as this much: the logarithm of 0 is no number.
const FLOOR: f64 = 1e-3;
/// The slope of [`Shape::Saturating`] at $-s$ and below.
const STEEPEST: f64 = 4.0;
/// A believed value at or beyond the bound of [`Shape::Saturating`] is taken back to a number all the same.
const NEARLY_ALL: f64 = 1.0 - 1e-6;

/// What the values of an output are modelled as: a function of them, and a largest value.
///
/// ```
/// use rpol::gp::{Shape, Warp};
/// for shape in [Shape::Identity, Shape::Log { limit: 60.0 }, Shape::Bilog { unit: 5.0 }, Shape::Saturating { unit: 9.0 }] {
///     let warp = Warp::from(shape);
///     for g in [-30.0, -1e-9, 0.0, 7.0, 400.0] {
///         let w = warp.apply(g);
///         assert!((w <= 0.0) == (g <= 0.0) && (warp.invert(w) - g).abs() < 1e-12 * (1.0 + g.abs()));
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Warp {
    /// The function.
    #[serde(flatten)]
    pub shape: Shape,
    /// Larger values count as this much: how far a limit is broken beyond all measure says nothing of where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// Smaller values count as this much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
}

/// A rising function $w$ of a constraint's $g$ with the limit at 0, so that $w(g) \le 0$ iff $g \le 0$.
///
/// A process that is Gaussian in $w$ need not be in $g$: latencies whose noise grows with their level are in the logarithm,
/// cliffs of ten times the limit are under the bilog. Which one is used is decided by the evidence, with the Jacobian
/// $w'$: $\ln p(g) = \ln p(w(g)) + \ln w'(g)$. Near the limit $w'$ is 1: there all of them agree.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shape {
    /// $g$ itself.
    #[default]
    Identity,
    /// $\ell\ln(1 + g/\ell)$: the logarithm of the metric over its limit, both above 0. For "at least" $\ell$ is minus the
    /// limit.
    Log {
        /// $\ell$, not 0.
        limit: f64,
    },
    /// $\pm s\ln(1 + |g|/s)$: like $g$ within $s$ of the limit and like a logarithm beyond.
    Bilog {
        /// $s$, above 0.
        unit: f64,
    },
    /// $g/(1 + g/2s)$ from $-s$ on, and straight below: for what rises ever faster towards its limit and past it, and whose noise
    /// does too, as a latency near saturation ($1/(1-\rho)$) or a temperature before it runs away. Bounded by $2s$.
    Saturating {
        /// $s$, above 0.
        unit: f64,
    },
    /// $g - s$ where the limit is kept and $s + s\ln(1 + g/s)$ where it is not: for a metric that is exactly at its limit
    /// whenever all is well, such as a number of errors that must be 0.
    Jump {
        /// $s$, above 0.
        unit: f64,
    },
}

impl From<Shape> for Warp {
    fn from(shape: Shape) -> Self {
        Self { shape, most: None, least: None }
    }
}

impl Warp {
    /// $w(g)$.
    #[must_use]
    pub fn apply(self, g: f64) -> f64 {
        self.shape.apply(g).min(self.most.unwrap_or(f64::MAX)).max(self.least.unwrap_or(f64::MIN))
    }

    /// The $g$ with this $w(g)$; at the jump of [`Jump`](Shape::Jump), 0.
    #[must_use]
    pub fn invert(self, w: f64) -> f64 {
        self.shape.invert(w)
    }

    /// $w'(g)$, below the largest value.
    #[must_use]
    pub(crate) fn slope(self, g: f64) -> f64 {
        self.shape.slope(g)
    }

    pub(crate) fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// Whether its constants are usable.
    pub(crate) fn is_sound(&self) -> bool {
        let shape = match self.shape {
            Shape::Identity => true,
            Shape::Log { limit } => limit.is_finite() && limit != 0.0,
            Shape::Bilog { unit } | Shape::Jump { unit } | Shape::Saturating { unit } => {
                unit.is_finite() && unit > 0.0
            }
        };
        shape && self.most.into_iter().chain(self.least).all(f64::is_finite)
    }
}

impl Shape {
    fn apply(self, g: f64) -> f64 {
        match self {
            Self::Identity => g,
            Self::Log { limit } => {
                let ratio = g / limit;
                let log = if ratio.abs() < 0.5 {
                    libm::log1p(ratio)
                } else {
                    libm::log((1.0 + ratio).clamp(FLOOR, 1.0 / FLOOR.powi(3)))
                };
                limit * log
            }
            Self::Bilog { unit } => (unit * libm::log1p((g / unit).abs())).copysign(g),
            Self::Saturating { unit } if g >= -unit => g / (1.0 + g / unit / 2.0),
            Self::Saturating { unit } => STEEPEST * (g + unit) - 2.0 * unit,
            Self::Jump { unit } if g > 0.0 => unit + unit * libm::log1p(g / unit),
            Self::Jump { unit } => g - unit,
        }
    }

    fn invert(self, w: f64) -> f64 {
        let g = match self {
            Self::Identity => w,
            Self::Log { limit } => limit * libm::expm1(w / limit),
            Self::Bilog { unit } => (unit * libm::expm1((w / unit).abs())).copysign(w),
            Self::Saturating { unit } if w >= -2.0 * unit => {
                let share = (w / unit / 2.0).min(NEARLY_ALL);
                2.0 * unit * (share / (1.0 - share))
            }
            Self::Saturating { unit } => (w + 2.0 * unit) / STEEPEST - unit,
            Self::Jump { unit } if w > unit => unit * libm::expm1(w / unit - 1.0),
            Self::Jump { unit } => (w + unit).min(0.0),
        };
        g.clamp(f64::MIN, f64::MAX)
    }

    fn slope(self, g: f64) -> f64 {
        match self {
            Self::Identity => 1.0,
            Self::Log { limit } => 1.0 / (1.0 + g / limit).max(FLOOR),
            Self::Bilog { unit } => 1.0 / (1.0 + (g / unit).abs()),
            Self::Saturating { unit } if g >= -unit => (1.0 + g / unit / 2.0).powi(-2),
            Self::Saturating { .. } => STEEPEST,
            Self::Jump { unit } if g > 0.0 => 1.0 / (1.0 + g / unit),
            Self::Jump { .. } => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Shape; 6] = [
        Shape::Identity,
        Shape::Log { limit: 60.0 },
        Shape::Log { limit: -1000.0 },
        Shape::Bilog { unit: 0.5 },
        Shape::Saturating { unit: 7.0 },
        Shape::Jump { unit: 2.0 },
    ];

    #[test]
    fn warps_rise_and_keep_the_side_of_the_limit() {
        for warp in ALL.map(Warp::from) {
            let at: Vec<f64> = (-500..500).map(|i| f64::from(i) * 0.1).collect();
            let warped: Vec<f64> = at.iter().map(|g| warp.apply(*g)).collect();
            assert!(warped.windows(2).all(|pair| pair[0] < pair[1]), "{warp:?}");
            assert!(at.iter().zip(&warped).all(|(g, w)| (*g <= 0.0) == (*w <= 0.0)), "{warp:?}");
        }
    }

    #[test]
    fn slopes_are_derivatives() {
        for warp in ALL.map(Warp::from) {
            for g in [-30.0, -1.0, 0.3, 8.0, 100.0] {
                let h = 1e-6;
                let found = (warp.apply(g + h) - warp.apply(g - h)) / (2.0 * h);
                assert!((found / warp.slope(g) - 1.0).abs() < 1e-6, "{warp:?} at {g}");
            }
        }
    }

    #[test]
    fn hostile_numbers_stay_numbers() {
        for warp in ALL.map(Warp::from) {
            for g in [f64::MIN, -1e300, -60.0, -61.0, 1000.0, 1e300, f64::MAX] {
                assert!(warp.apply(g).is_finite() && warp.slope(g).is_finite(), "{warp:?} at {g}");
                assert!(warp.invert(g).is_finite(), "{warp:?} at {g}");
            }
        }
    }
}
