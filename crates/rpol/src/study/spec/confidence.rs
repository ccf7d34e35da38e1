//! How sure a recommendation must be, and how wide the band of the models is.

use crate::confidence::{Gain, Width};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// How sure a recommendation must be, and how wide the band is; what is left out comes from the preset. A number is the first
/// of these.
///
/// ```
/// use rpol::Spec;
/// let spec = |confidence: &str| Spec::from_toml(&format!(r#"
///     name = "demo"
///     objective = "minimize cost"
///     confidence = {confidence}
///     [params]
///     x = {{ type = "float", low = 0, high = 1 }}
/// "#));
/// assert_eq!(spec("0.95").unwrap().confidence.level(), 0.95);
/// assert_eq!(spec("{ level = 0.95 }").unwrap(), spec("0.95").unwrap());
/// assert!(spec("95").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Confidence {
    /// The probability that the means of a recommended setting keep all limits: at least this. 0.9 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// The width.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Width>,
    /// The information gain it uses.
    pub gain: Gain,
}

/// The table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// The probability that the means of a recommended setting keep all limits: at least this. 0.9 when left out.
    #[serde(default)]
    level: Option<f64>,
    /// The width of the band.
    #[serde(default)]
    width: Option<Width>,
    /// The information gain it uses.
    #[serde(default)]
    gain: Gain,
}

/// As it may be written.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code)] // for the schema alone
pub(super) enum Written {
    Level(f64),
    Table(Table),
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Confidence;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number such as 0.9, or a table")
    }

    fn visit_f64<E: serde::de::Error>(self, level: f64) -> std::result::Result<Confidence, E> {
        Ok(Confidence { level: Some(level), ..Confidence::default() })
    }

    fn visit_i64<E: serde::de::Error>(self, level: i64) -> std::result::Result<Confidence, E> {
        self.visit_f64(level as f64)
    }

    fn visit_u64<E: serde::de::Error>(self, level: u64) -> std::result::Result<Confidence, E> {
        self.visit_f64(level as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Confidence, A::Error> {
        let Table { level, width, gain } = Table::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Confidence { level, width, gain })
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> std::result::Result<Self, D::Error> {
        reader.deserialize_any(Reader)
    }
}

impl Confidence {
    /// How sure a recommendation must be.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.level.unwrap_or(0.9)
    }

    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn validate(&self) -> Result<()> {
        let level = self.level();
        if (0.5..1.0).contains(&level) {
            return Ok(());
        }
        let problem = format!("{level} is no confidence: give a number from 0.5 to below 1");
        Err(Error::spec("confidence", problem))
    }
}
