//! Outputs centred and scaled, so that one set of priors fits every unit.
//!
//! Median and quartiles: one failed measurement of $10^9$ must not flatten the rest.

use crate::error::Result;
use crate::finite::all_finite;
use serde::{Deserialize, Serialize};

/// An affine unit of an output: `y = centre + spread * standard`.
///
/// The centre is at the same time the constant mean of the process.
///
/// ```
/// use rpol::gp::Scale;
/// let scale = Scale::robust(&[1e300, 2e300, 3e300]).unwrap();
/// let y = scale.restore(scale.standard(2.5e300));
/// assert!((y / 2.5e300 - 1.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// What counts as zero.
    pub centre: f64,
    /// What counts as one; above 0.
    pub spread: f64,
}

impl Default for Scale {
    /// The unit as it is: centre 0, spread 1.
    fn default() -> Self {
        Self { centre: 0.0, spread: 1.0 }
    }
}

impl Scale {
    /// Median and interquartile range (as a deviation, over 1.349); where more than half of the
    /// values agree, the mean distance to the median; where all do, a spread of 1.
    pub fn robust(values: &[f64]) -> Result<Self> {
        all_finite("y", values)?;
        if values.is_empty() {
            return Ok(Self::default());
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let centre = quantile(&sorted, 0.5);
        let range = quantile(&sorted, 0.75) / 1.349 - quantile(&sorted, 0.25) / 1.349;
        let n = values.len() as f64;
        let distance: f64 = values.iter().map(|v| (v / n - centre / n).abs()).sum();
        // Below the smallest normal number a spread would lose its digits: such values count as equal.
        let spread = [range, distance].into_iter().find(|s| s.is_normal() && *s > 0.0);
        Ok(Self { centre, spread: spread.unwrap_or(1.0) })
    }

    /// From the output's unit to the standard one.
    #[must_use]
    pub fn standard(self, y: f64) -> f64 {
        // Divided first: the difference of two huge values could overflow.
        y / self.spread - self.centre / self.spread
    }

    /// From the standard unit to the output's.
    #[must_use]
    pub fn restore(self, standard: f64) -> f64 {
        self.centre + self.spread * standard
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let (low, rest) = (position.floor() as usize, position.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] * (1.0 - rest) + sorted[high] * rest
}
