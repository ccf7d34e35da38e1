//! The definition of one parameter, and its map to one model coordinate.

use super::{Coordinate, Lattice, Value, scale::Scale};
use crate::{Error, Result, name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The definition of one parameter, in Optuna's short form. [`Space::new`](super::Space::new)
/// checks it.
///
/// ```
/// use rpol::Param;
/// let rate: Param =
///     serde_json::from_str(r#"{"type": "float", "low": 1e-4, "high": 1, "log": true}"#).unwrap();
/// assert_eq!(rate, Param::float(1e-4, 1.0).log());
/// let mode: Param = toml::from_str("type = 'categorical'\nchoices = ['a', 2, true]").unwrap();
/// assert_eq!(mode, Param::categorical(["a".into(), 2.into(), true.into()]));
/// assert!(toml::from_str::<Param>("type = 'int'\nlow = 1\nhigh = 2\nstep = 1").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(description = "One parameter, in Optuna's short form.")]
pub enum Param {
    /// A real number of `[low, high]`.
    Float {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
        /// Whether ratios matter rather than differences.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        log: bool,
    },
    /// An integer of `[low, high]`.
    Int {
        /// Smallest value.
        low: i64,
        /// Largest value.
        high: i64,
        /// Whether ratios matter rather than differences.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        log: bool,
    },
    /// One of the choices, in no order.
    Categorical {
        /// Distinct texts, numbers or booleans.
        choices: Vec<Value>,
    },
}

impl Param {
    /// A real number of `[low, high]`.
    #[must_use]
    pub fn float(low: f64, high: f64) -> Self {
        Param::Float { low, high, log: false }
    }

    /// An integer of `[low, high]`.
    #[must_use]
    pub fn int(low: i64, high: i64) -> Self {
        Param::Int { low, high, log: false }
    }

    /// One of the choices.
    #[must_use]
    pub fn categorical(choices: impl IntoIterator<Item = Value>) -> Self {
        Param::Categorical { choices: choices.into_iter().collect() }
    }

    /// The same on a logarithmic scale; choices have none and stay as they are.
    #[must_use]
    pub fn log(self) -> Self {
        match self {
            Param::Float { low, high, .. } => Param::Float { low, high, log: true },
            Param::Int { low, high, .. } => Param::Int { low, high, log: true },
            choices => choices,
        }
    }

    /// What the model sees of it: nothing when only one value is possible.
    #[must_use]
    pub fn coordinate(&self) -> Option<Coordinate> {
        match self {
            Param::Float { low, high, .. } => (low < high).then_some(Coordinate::Continuous),
            Param::Int { low, high, log } => {
                (low < high).then(|| Coordinate::Lattice(Lattice::new(*low, *high, *log)))
            }
            Param::Categorical { choices } => {
                (choices.len() > 1).then_some(Coordinate::Category(choices.len()))
            }
        }
    }

    /// Whether only one value is possible.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.coordinate().is_none()
    }

    /// The value at a model coordinate: the nearest one allowed.
    pub(super) fn decode(&self, coordinate: &Coordinate, x: f64) -> Value {
        match (self, coordinate) {
            (Param::Categorical { choices }, _) => choices[coordinate.snap(x) as usize].clone(),
            (Param::Int { .. }, Coordinate::Lattice(lattice)) => {
                Value::Int(lattice.integer(lattice.nearest(x)))
            }
            (Param::Float { low, high, log }, _) => {
                Value::Float(Scale::new(*low, *high, *log).value(x))
            }
            (Param::Int { low, .. }, _) => Value::Int(*low),
        }
    }

    /// The value in the parameter's own type; it has been checked.
    pub(super) fn canonical(&self, value: &Value) -> Value {
        match (self, value) {
            (Param::Float { .. }, Value::Int(number)) => Value::Float(*number as f64),
            // The sum turns -0.0 into 0.0.
            (Param::Float { .. }, Value::Float(number)) => Value::Float(*number + 0.0),
            (Param::Int { .. }, Value::Float(number)) => Value::Int(*number as i64),
            (Param::Categorical { choices }, _) => {
                choices.iter().find(|choice| choice.same(value)).unwrap_or(value).clone()
            }
            _ => value.clone(),
        }
    }

    /// The only value of a fixed parameter.
    pub(super) fn first(&self) -> Value {
        match self {
            Param::Float { low, .. } => Value::Float(*low),
            Param::Int { low, .. } => Value::Int(*low),
            Param::Categorical { choices } => choices[0].clone(),
        }
    }

    /// The model coordinate of a value, refusing what the definition does not allow. A fixed
    /// parameter gives 0.
    pub(super) fn encode(&self, field: &str, value: &Value) -> Result<f64> {
        if let Value::Float(number) = value {
            crate::Finite::new(field, *number)?;
        }
        match self {
            Param::Float { low, high, log } => {
                let number = number(field, value)?;
                inside(field, [*low, number, *high], |v| v)?;
                Ok(if low < high { Scale::new(*low, *high, *log).unit(number) } else { 0.0 })
            }
            Param::Int { low, high, .. } => {
                let number = integer(field, value)?;
                inside(field, [*low, number, *high], |v| v as f64)?;
                Ok(match self.coordinate() {
                    Some(Coordinate::Lattice(lattice)) => lattice.level(lattice.index(number)),
                    _ => 0.0,
                })
            }
            Param::Categorical { choices } => {
                let found = choices.iter().position(|choice| choice.same(value));
                found.map(|index| index as f64).ok_or_else(|| unknown(field, value, choices))
            }
        }
    }
}

fn number(field: &str, value: &Value) -> Result<f64> {
    match value {
        // The sum turns -0.0 into 0.0.
        Value::Float(number) => Ok(*number + 0.0),
        Value::Int(number) => Ok(*number as f64),
        _ => Err(wrong_type(field, value, "a number")),
    }
}

fn integer(field: &str, value: &Value) -> Result<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        // 8.0 for 8 loses nothing, and spreadsheets and data frames write it.
        Value::Float(number) if number.fract() == 0.0 => Ok(*number as i64),
        _ => Err(wrong_type(field, value, "an integer")),
    }
}

/// Compares in the parameter's own type: as `f64` two integers may become equal.
fn inside<T: PartialOrd>(field: &str, values: [T; 3], shown: impl Fn(T) -> f64) -> Result<()> {
    if values[0] <= values[1] && values[1] <= values[2] {
        return Ok(());
    }
    let [low, value, high] = values.map(shown);
    Err(Error::OutOfBounds { field: field.into(), value, low, high })
}

fn wrong_type(field: &str, value: &Value, expected: &'static str) -> Error {
    Error::WrongType { field: field.into(), value: value.quoted(), expected }
}

fn unknown(field: &str, value: &Value, choices: &[Value]) -> Error {
    let known: Vec<String> = choices.iter().map(Value::quoted).collect();
    Error::UnknownName { field: field.into(), value: value.quoted(), known: name::joined(&known) }
}
