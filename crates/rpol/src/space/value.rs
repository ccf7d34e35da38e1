//! The value of one parameter, as a user writes it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of one parameter: a number, a text or a boolean.
///
/// A number without a point reads as [`Value::Int`]; both kinds of number are the same value when
/// they are equal.
///
/// ```
/// use rpol::Value;
/// let read = |text| serde_json::from_str::<Value>(text).unwrap();
/// assert_eq!(read("1"), Value::Int(1));
/// assert_eq!(read("1.0"), Value::Float(1.0));
/// assert!(read("1").same(&read("1.0")));
/// assert!(!read("1").same(&read("\"1\"")) && !read("1").same(&read("true")));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number, a text or a boolean is needed")]
#[schemars(description = "A number, a text or a boolean.")]
pub enum Value {
    /// An integer. First, as a float would read it too.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A text.
    Text(String),
}

impl Value {
    /// The number, where it is one.
    ///
    /// ```
    /// use rpol::Value;
    /// assert_eq!((Value::from(3i64).as_f64(), Value::from("3").as_f64()), (Some(3.0), None));
    /// ```
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            Value::Bool(_) | Value::Text(_) => None,
        }
    }

    /// Whether both are the same choice: equal, with `1` and `1.0` taken as one number.
    #[must_use]
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(i), Value::Float(f)) | (Value::Float(f), Value::Int(i)) => {
                // In i128 no two different numbers round to the same one.
                f.fract() == 0.0 && *f as i128 == i128::from(*i)
            }
            _ => self == other,
        }
    }

    /// As in an error message: texts quoted and escaped.
    pub(crate) fn quoted(&self) -> String {
        match self {
            Value::Text(text) => crate::name::quoted(text),
            other => other.to_string(),
        }
    }
}

/// As a command line would carry it: texts without quotes, numbers in their shortest form.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => value.fmt(f),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Bool(value) => value.fmt(f),
            Value::Text(value) => value.fmt(f),
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.into())
    }
}
