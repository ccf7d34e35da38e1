//! A checked `f64`: NaN and infinities cannot enter state through it.
//!
//! In Rust `NaN.max(0.0)` is `0.0`, so an unchecked NaN cost would read "feasible", and a penalty
//! that never goes down would keep one infinite cost for ever.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A finite number; `-0.0` is stored as `0.0`, every other finite value bit for bit.
///
/// ```
/// use rpol::Finite;
/// assert!(Finite::new("cost", f64::NAN).is_err());
/// assert_eq!(Finite::new("cost", -0.0).unwrap().get().to_bits(), 0.0f64.to_bits());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Finite(f64);

impl Finite {
    /// Checks `value`; the error names `field`.
    pub fn new(field: &str, value: f64) -> Result<Self> {
        if value.is_finite() {
            // -0.0 + 0.0 is 0.0, and no other value changes.
            Ok(Self(value + 0.0))
        } else {
            Err(Error::NotFinite { field: field.into(), value })
        }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Finite {
    type Error = Error;
    fn try_from(value: f64) -> Result<Self> {
        Self::new("value", value)
    }
}

impl From<Finite> for f64 {
    fn from(value: Finite) -> f64 {
        value.0
    }
}

/// Refuses the first NaN or infinity of a list, naming its position.
pub(crate) fn all_finite(field: &str, values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(i) => Err(Error::NotFinite { field: format!("{field}[{i}]"), value: values[i] }),
    }
}
