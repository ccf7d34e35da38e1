//! The metrics in the last JSON object that was printed.

use super::last_object;
use crate::common::text::quoted;
use crate::pipe::raw;
use rpol::study::Reported;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The last JSON object: what the study knows of it.
#[derive(Clone)]
pub(crate) struct Object {
    values: Vec<(String, Result<Reported, String>)>,
    /// The first few keys, to say what was there.
    pub(crate) keys: Vec<String>,
}

impl Object {
    pub(crate) fn read(text: &str, known: &[&str]) -> Result<Self, String> {
        let text = last_object::last(text).ok_or("there is no JSON object on stdout")?;
        // Python writes NaN, which JSON does not have: readable, it can be named.
        let text = raw::legible(text);
        let mut reader = serde_json::Deserializer::from_str(&text);
        Known(known)
            .deserialize(&mut reader)
            .map_err(|error| format!("the last JSON object on stdout cannot be read ({error})"))
    }

    pub(crate) fn get(&self, metric: &str) -> Result<Option<Reported>, String> {
        let found = self.values.iter().find(|(own, _)| own == metric);
        found.map(|(_, value)| value.clone()).transpose()
    }
}

/// Reads an object, and of that only what has these names.
struct Known<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Known<'_> {
    type Value = Object;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Known<'_> {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        const SHOWN: usize = 8;
        let mut object = Object { values: Vec::new(), keys: Vec::new() };
        while let Some(key) = map.next_key::<String>()? {
            if object.keys.len() < SHOWN {
                object.keys.push(key.clone());
            }
            if !self.0.contains(&key.as_str()) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            if object.values.iter().any(|(other, _)| *other == key) {
                return Err(A::Error::custom(format!("{} stands there twice", quoted(&key))));
            }
            let value: &RawValue = map.next_value()?;
            let value = raw::metric(&key, value).map_err(|failure| failure.message().to_string());
            object.values.push((key, value));
        }
        Ok(object)
    }
}
