//! A constraint as text, and as JSON or TOML.

use super::{Constraint, Direction, Threshold, parse, tokens};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::{borrow::Cow, fmt, str::FromStr};

impl FromStr for Constraint {
    type Err = crate::Error;
    fn from_str(text: &str) -> crate::Result<Self> {
        parse::constraint(text)
    }
}

/// The expression, without budget and bound; it parses back to the same limit.
impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if tokens::is_bare_name(&self.metric) && !tokens::looks_subtracted(&self.metric) {
            f.write_str(&self.metric)?;
        } else {
            write!(f, "'{}'", self.metric.replace('\'', "''"))?;
        }
        f.write_str(match self.direction {
            Direction::AtMost => " <= ",
            Direction::AtLeast => " >= ",
        })?;
        match self.threshold {
            Threshold::Fixed(value) => f.write_str(&shortest(value)),
            Threshold::TimesBaseline(1.0) => f.write_str("baseline"),
            Threshold::TimesBaseline(factor) => write!(f, "{} * baseline", shortest(factor)),
        }
    }
}

/// `250` rather than `250.0`, `1e300` rather than 301 digits.
fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The long form.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Table {
    /// The limit, such as `p99_ms <= 250`.
    expression: String,
    /// Total violation allowed, in the metric's units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<f64>,
    /// Largest absolute value of the metric that is believable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
}

impl Table {
    fn constraint(self) -> crate::Result<Constraint> {
        let mut constraint: Constraint = self.expression.parse()?;
        if let Some(budget) = self.budget {
            constraint = constraint.with_budget(budget)?;
        }
        match self.bound {
            Some(bound) => constraint.with_bound(bound),
            None => Ok(constraint),
        }
    }
}

impl Serialize for Constraint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let expression = self.to_string();
        match (self.budget, self.bound) {
            (None, None) => expression.serialize(serializer),
            (budget, bound) => Table { expression, budget, bound }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Constraint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrTable)
    }
}

/// By hand, as an untagged enum would not say which field is unknown.
struct TextOrTable;

impl<'de> Visitor<'de> for TextOrTable {
    type Value = Constraint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a text such as "p99_ms <= 250" or a table with "expression""#)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Constraint, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Constraint, A::Error> {
        let table = Table::deserialize(MapAccessDeserializer::new(map))?;
        table.constraint().map_err(A::Error::custom)
    }
}

impl JsonSchema for Constraint {
    fn schema_name() -> Cow<'static, str> {
        "Constraint".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (text, table) = (String::json_schema(generator), Table::json_schema(generator));
        schemars::json_schema!({ "anyOf": [text, table] })
    }
}
