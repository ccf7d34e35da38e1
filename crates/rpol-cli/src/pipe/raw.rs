//! JSON kept as it was written, so that every error can quote it.
//!
//! A tree of values would already have dropped a key that stands there twice, and would have
//! refused `1e999` without a word on where it stood.

use super::failure::Failure;
use rpol::study::Reported;
use rpol::{Error, Params};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The entries of an object, in their order.
#[derive(Debug)]
pub(crate) struct Fields<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(String, &RawValue)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, _>()? {
            if fields.iter().any(|(other, _)| *other == key) {
                let key = cut(&format!("{key:?}"));
                return Err(A::Error::custom(format!("{key} stands there twice: drop one")));
            }
            fields.push((key, value));
        }
        Ok(Fields(fields))
    }
}

impl<'a> Fields<'a> {
    /// Reads an object; `what` says which one in an error.
    pub(crate) fn read(what: &str, text: &'a str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|e| Failure::request(format!("{what}: {e}")))
    }

    /// Refuses a field that is not among `known`.
    pub(crate) fn only(self, command: &str, known: &[&str]) -> Result<Self, Failure> {
        match self.0.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(self),
            Some((key, _)) => {
                let key = cut(&format!("{key:?}"));
                let remedy = match known {
                    [] => "leave it out".into(),
                    _ => format!("use {}", quoted(known)),
                };
                Err(Failure::request(format!("{command} has the unknown field {key}: {remedy}")))
            }
        }
    }

    pub(crate) fn get(&self, field: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(key, _)| key == field).map(|(_, value)| *value)
    }

    /// A field that must be there; `known` lists those that must.
    pub(crate) fn need(&self, field: &str, known: &[&str]) -> Result<&'a RawValue, Failure> {
        let missing = || Error::Missing { field: field.into(), known: quoted(known) };
        self.get(field).ok_or_else(|| missing().into())
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// What Python and JavaScript write for numbers that JSON does not have, each as a number beyond the
/// range of `f64` that JSON does have.
const LITERALS: [(&str, &str); 3] =
    [("NaN", "1e99990"), ("Infinity", "1e99991"), ("-Infinity", "-1e99991")];

/// The text with such literals made readable, where it would be no JSON otherwise.
pub(crate) fn legible(text: &str) -> Cow<'_, str> {
    let valid = serde_json::from_str::<&RawValue>(text).is_ok();
    match Some(text).filter(|_| !valid).and_then(readable) {
        Some(readable) => Cow::Owned(readable),
        None => Cow::Borrowed(text),
    }
}

/// The line with such literals made readable; `None` when it has none.
fn readable(line: &str) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let (mut rest, mut found) = (line, false);
    while let Some(first) = rest.chars().next() {
        let token = &rest[..token(rest, first)];
        let literal = LITERALS.iter().find(|(literal, _)| *literal == token);
        found |= literal.is_some();
        out.push_str(literal.map_or(token, |(_, number)| number));
        rest = &rest[token.len()..];
    }
    found.then_some(out)
}

/// Length of what begins with `first`: a text, a word or number, or a single character.
fn token(rest: &str, first: char) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if first == '"' {
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        end.map_or(rest.len(), |(i, _)| i + 1)
    } else if word(first) {
        rest.find(|c| !word(c)).unwrap_or(rest.len())
    } else {
        first.len_utf8()
    }
}

/// As the user wrote it.
fn written(text: &str) -> String {
    let literal = LITERALS.iter().find(|(_, number)| *number == text);
    cut(literal.map_or(text, |(literal, _)| literal))
}

fn cut(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

fn path(root: &str, name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(plain) {
        true => format!("{root}.{}", cut(name)),
        false => format!("{root}.{}", cut(&format!("{name:?}"))),
    }
}

fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

fn wrong_type(field: &str, raw: &RawValue, expected: &'static str) -> Failure {
    Error::WrongType { field: field.into(), value: written(raw.get()), expected }.into()
}

fn number(field: &str, raw: &RawValue, expected: &'static str) -> Result<f64, Failure> {
    let parsed = raw.get().parse::<f64>().ok().filter(|_| is_number(raw));
    match parsed {
        Some(number) if number.is_finite() => Ok(number),
        Some(_) => {
            let value = written(raw.get());
            let range = if value == raw.get() { ", out of range" } else { "" };
            let problem = format!("{field} is {value}{range}: a finite number is needed");
            Err(Failure::new("NotFinite", problem))
        }
        None => Err(wrong_type(field, raw, expected)),
    }
}

/// The number of a trial.
pub(super) fn trial(raw: &RawValue) -> Result<u64, Failure> {
    raw.get().parse().map_err(|_| wrong_type("number", raw, "the number of a trial, from 0,"))
}

/// How many trials to ask for; what is no such number at all is refused like a wrong one.
pub(super) fn count(raw: &RawValue) -> Result<u64, Failure> {
    raw.get().parse().map_err(|_| {
        let problem = format!("{} trials: ask for 1 to 1000", written(raw.get()));
        Error::InvalidSpec { path: "count".into(), problem }.into()
    })
}

/// A text; absent is empty.
pub(super) fn text(field: &str, raw: Option<&RawValue>) -> Result<String, Failure> {
    let Some(raw) = raw else { return Ok(String::new()) };
    serde_json::from_str(raw.get()).map_err(|_| wrong_type(field, raw, "a text"))
}

/// Metrics by name, each a number or `[mean, standard error]`.
pub(crate) fn metrics(text: &str) -> Result<Vec<(String, Reported)>, Failure> {
    let fields = Fields::read("metrics", text)?.0;
    let read = |(name, raw): (String, &RawValue)| Ok((name.clone(), metric(&name, raw)?));
    fields.into_iter().map(read).collect()
}

/// One metric: a number or `[mean, standard error]`.
pub(crate) fn metric(name: &str, raw: &RawValue) -> Result<Reported, Failure> {
    let field = path("metrics", name);
    if !raw.get().starts_with('[') {
        let value = number(&field, raw, "a number or [mean, standard error]")?;
        return Ok(Reported::new(&field, value, None)?);
    }
    let entries: Vec<&RawValue> =
        serde_json::from_str(raw.get()).map_err(|e| Failure::request(format!("{field}: {e}")))?;
    let [value, sem] = entries[..] else {
        return Err(Error::WrongLength { field, found: entries.len(), expected: 2 }.into());
    };
    let value = number(&field, value, "a number")?;
    let sem = number(&format!("{field} (standard error)"), sem, "a number")?;
    Ok(Reported::new(&field, value, Some(sem))?)
}

/// A setting.
pub(crate) fn params(text: &str) -> Result<Params, Failure> {
    let mut params = Params::new();
    for (name, raw) in Fields::read("params", text)?.0 {
        let field = path("params", &name);
        if is_number(raw) {
            number(&field, raw, "a number")?;
        }
        let value = serde_json::from_str(raw.get())
            .map_err(|_| wrong_type(&field, raw, "a number, a text or a boolean"))?;
        params.insert(name, value);
    }
    Ok(params)
}
