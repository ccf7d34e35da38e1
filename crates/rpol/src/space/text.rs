//! A space as JSON or TOML: the table of its definitions, checked while it is read.

use super::{Param, Space};
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::{borrow::Cow, fmt};

impl Serialize for Space {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.params.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Definitions)
    }
}

struct Definitions;

impl<'de> Visitor<'de> for Definitions {
    type Value = Space;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of parameter definitions by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Space, A::Error> {
        // A map would swallow a name that stands there twice.
        let mut params: Vec<(String, Param)> = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            params.push((name, map.next_value()?));
        }
        Space::new(params).map_err(A::Error::custom)
    }
}

impl JsonSchema for Space {
    fn schema_name() -> Cow<'static, str> {
        "Space".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        IndexMap::<String, Param>::json_schema(generator)
    }
}
