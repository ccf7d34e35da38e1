//! The two sides of a limit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which side of the threshold is allowed.
///
/// ```
/// use rpol::constraint::Direction;
/// assert_eq!(serde_json::to_string(&Direction::AtMost).unwrap(), r#""at_most""#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "Which side of the threshold is allowed.")]
pub enum Direction {
    /// metric <= threshold.
    AtMost,
    /// metric >= threshold.
    AtLeast,
}

/// What a metric is held against.
///
/// ```
/// use rpol::constraint::Threshold;
/// assert_eq!(Threshold::TimesBaseline(0.5).at(Some(8.0)), Some(4.0));
/// assert_eq!(Threshold::TimesBaseline(0.5).at(None), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "What a metric is held against.")]
pub enum Threshold {
    /// A number.
    Fixed(f64),
    /// A multiple of the metric's value at the baseline.
    TimesBaseline(f64),
}

impl Threshold {
    /// Its value; none while the baseline it needs is not known.
    #[must_use]
    pub fn at(self, baseline: Option<f64>) -> Option<f64> {
        match self {
            Threshold::Fixed(value) => Some(value),
            Threshold::TimesBaseline(factor) => baseline.map(|value| factor * value),
        }
    }

    pub(super) fn number(self) -> f64 {
        match self {
            Threshold::Fixed(number) | Threshold::TimesBaseline(number) => number,
        }
    }
}
