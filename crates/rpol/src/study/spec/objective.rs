//! The metric to improve.

use crate::error::{Error, Result};
use crate::name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Larger is better.
    #[default]
    Maximize,
    /// Smaller is better.
    Minimize,
}

impl Direction {
    /// The value as one that is to be maximised, and back.
    #[must_use]
    pub fn signed(self, value: f64) -> f64 {
        match self {
            Self::Maximize => value,
            Self::Minimize => -value,
        }
    }
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Maximize => "maximize",
            Self::Minimize => "minimize",
        })
    }
}

/// The metric to improve: `"minimize cost"`, `"maximize reward"`, `"reward"` (which is maximised), or
/// `{"metric": "cost", "direction": "minimize", "bound": 1e6}`.
///
/// ```
/// use rpol::study::{Direction, Objective};
/// let objective: Objective = serde_json::from_str("\"minimize cost\"").unwrap();
/// assert_eq!((objective.metric(), objective.direction()), ("cost", Direction::Minimize));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Text", into = "Text")]
#[schemars(with = "Text")]
pub struct Objective {
    metric: String,
    direction: Direction,
    bound: Option<f64>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a text such as \"minimize cost\", or a table of metric, direction and bound, is needed"
)]
enum Text {
    Short(String),
    Long(Table),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(alias = "name")]
    metric: String,
    #[serde(default)]
    direction: Direction,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
}

impl Objective {
    /// The objective on `metric`.
    pub fn new(metric: &str, direction: Direction) -> Result<Self> {
        name::check("objective", metric)?;
        Ok(Self { metric: metric.to_string(), direction, bound: None })
    }

    /// The metric's name.
    #[must_use]
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// Which way is better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The largest absolute value believable.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.bound
    }
}

impl TryFrom<Text> for Objective {
    type Error = Error;

    fn try_from(text: Text) -> Result<Self> {
        match text {
            Text::Short(text) => match text.split_once(' ') {
                Some(("maximize", metric)) => Self::new(metric.trim(), Direction::Maximize),
                Some(("minimize", metric)) => Self::new(metric.trim(), Direction::Minimize),
                _ => Self::new(&text, Direction::Maximize),
            },
            Text::Long(table) => {
                if let Some(bound) = table.bound.filter(|b| !b.is_finite() || *b <= 0.0) {
                    let problem = format!("{bound} is not usable: give a finite number above 0");
                    return Err(Error::spec("objective.bound", problem));
                }
                let objective = Self::new(&table.metric, table.direction)?;
                Ok(Self { bound: table.bound, ..objective })
            }
        }
    }
}

impl From<Objective> for Text {
    fn from(objective: Objective) -> Self {
        let Objective { metric, direction, bound } = objective;
        Self::Long(Table { metric, direction, bound })
    }
}
