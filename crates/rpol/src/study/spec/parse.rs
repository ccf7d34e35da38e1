//! A definition as text: what is wrong, and in which field.

use super::Spec;
use super::complaint::plainly;
use super::schema::without_mention;
use crate::error::{Error, Result};
use crate::name;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// Longest message passed on, in bytes: a text may hold names of any length.
const LONGEST: usize = 600;

pub(in crate::study) fn json(text: &str) -> Result<Spec> {
    let text = &*without_mention(text);
    let mut reader = serde_json::Deserializer::from_str(text);
    let tree = || serde_json::from_str(text).ok();
    let spec: Spec = serde_path_to_error::deserialize(&mut reader).map_err(|e| {
        let (message, place) = json_message(e.inner());
        located(e.path(), &message, &place, tree())
    })?;
    reader.end().map_err(|e| Error::spec("study", json_message(&e).0))?;
    as_written(spec, tree())
}

pub(in crate::study) fn toml(text: &str) -> Result<Spec> {
    let tree = || serde_json::to_value(toml::from_str::<toml::Table>(text).ok()?).ok();
    let reader = toml::Deserializer::parse(text).map_err(|e| {
        Error::spec("study", format!("{}{}", clean(e.message()), toml_place(&e, text)))
    })?;
    let spec: Spec = serde_path_to_error::deserialize(reader).map_err(|e| {
        located(e.path(), e.inner().message(), &toml_place(e.inner(), text), tree())
    })?;
    as_written(spec, tree())
}

/// What the definition no longer shows once it was read.
fn as_written(spec: Spec, tree: Option<Value>) -> Result<Spec> {
    tree.map_or(Ok(()), |tree| spec.check_expressions(&tree)).map(|()| spec)
}

/// The message without the place that serde_json appends to it, and the place.
fn json_message(error: &serde_json::Error) -> (String, String) {
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let text = error.to_string();
    let message = text.strip_suffix(&suffix).unwrap_or(&text);
    let remedy = if message == "number out of range" { ": give a finite number" } else { "" };
    let place = format!(" (line {} column {})", error.line(), error.column());
    (format!("{message}{remedy}"), place)
}

fn toml_place(error: &toml::de::Error, text: &str) -> String {
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return String::new();
    };
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!(" (line {line} column {column})")
}

fn located(path: &Path, message: &str, place: &str, tree: Option<Value>) -> Error {
    let mut keys: Vec<Key> = path.iter().map_while(Key::of).collect();
    let (own, problem) = own_path(&shown(&keys), message);
    if let Some(own) = own {
        return Error::spec(own, format!("{}{place}", clean(problem)));
    }
    if let Some(tree) = tree.filter(|_| !problem.starts_with("missing field")) {
        keys = blamed(&tree, keys);
    }
    if let Some(field) = field_named(problem).filter(|f| !keys.last().is_some_and(|k| k.is(f))) {
        keys.push(Key::Name(field.into()));
    }
    let path = if keys.is_empty() { "study".into() } else { shown(&keys) };
    let said = plainly(problem, &path);
    Error::spec(path, format!("{}{place}", clean(&said)))
}

/// One step into the definition.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Name(String),
    Index(usize),
}

impl Key {
    fn of(segment: &Segment) -> Option<Self> {
        match segment {
            Segment::Seq { index } => Some(Self::Index(*index)),
            Segment::Map { key } => Some(Self::Name(key.clone())),
            Segment::Enum { variant } => Some(Self::Name(variant.clone())),
            Segment::Unknown => None,
        }
    }

    fn is(&self, name: &str) -> bool {
        matches!(self, Self::Name(own) if own == name)
    }
}

fn shown(keys: &[Key]) -> String {
    let step = |path: String, key: &Key| match key {
        Key::Index(index) => format!("{path}[{index}]"),
        Key::Name(name) => name::path(&path, name).trim_start_matches('.').to_string(),
    };
    keys.iter().fold(String::new(), step)
}

/// Types that check themselves put the path of the field in front of the message.
fn own_path<'a>(path: &str, message: &'a str) -> (Option<String>, &'a str) {
    let head = if path.starts_with("constraints[") { "constraint" } else { path };
    let rest = message.strip_prefix(head).filter(|rest| rest.starts_with(['.', '[', ':']));
    match rest.and_then(|rest| Some((rest, colon(rest)?))) {
        Some((rest, end)) if !path.is_empty() => {
            (Some(format!("{path}{}", &rest[..end])), &rest[end + 2..])
        }
        _ => (None, message),
    }
}

/// The first `": "` outside of quotes.
fn colon(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (i, c) in text.char_indices() {
        if c == ':' && !quoted && text[i..].starts_with(": ") {
            return Some(i);
        }
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    None
}

/// The field that a message of serde names itself.
fn field_named(message: &str) -> Option<&str> {
    let quoted = |head: &str| message.strip_prefix(head)?.split('`').next();
    if message.starts_with("unknown variant") {
        return None;
    }
    let heads = ["missing field `", "unknown field `", "duplicate field `"];
    heads.into_iter().find_map(quoted)
}

/// Serde reads a table with a `type` as a whole and forgets where in it the fault was. What is to
/// blame is the entry without which the complaint is another.
fn blamed(tree: &Value, mut keys: Vec<Key>) -> Vec<Key> {
    let Some(complaint) = complaint(tree) else { return keys };
    while let Some(node) = keys.iter().try_fold(tree, child) {
        let guilty =
            |key: &Key| self::complaint(&without(tree, &keys, key)).as_ref() != Some(&complaint);
        match children(node).into_iter().filter(|key| !key.is("type")).find(guilty) {
            Some(key) => keys.push(key),
            None => {
                let tagged = complaint.starts_with("unknown variant") && node.get("type").is_some();
                keys.extend(tagged.then(|| Key::Name("type".into())));
                break;
            }
        }
    }
    keys
}

fn complaint(tree: &Value) -> Option<String> {
    serde_json::from_value::<Spec>(tree.clone()).err().map(|e| e.to_string())
}

fn child<'a>(node: &'a Value, key: &Key) -> Option<&'a Value> {
    match key {
        Key::Name(name) => node.get(name),
        Key::Index(index) => node.get(index),
    }
}

fn children(node: &Value) -> Vec<Key> {
    match node {
        Value::Object(table) => table.keys().cloned().map(Key::Name).collect(),
        Value::Array(list) => (0..list.len()).map(Key::Index).collect(),
        _ => Vec::new(),
    }
}

fn without(tree: &Value, keys: &[Key], key: &Key) -> Value {
    let mut tree = tree.clone();
    let node = keys.iter().try_fold(&mut tree, |node, key| match key {
        Key::Name(name) => node.get_mut(name),
        Key::Index(index) => node.get_mut(index),
    });
    match (node, key) {
        (Some(Value::Object(table)), Key::Name(name)) => drop(table.remove(name)),
        (Some(Value::Array(list)), Key::Index(index)) => drop(list.remove(*index)),
        _ => {}
    }
    tree
}

/// No control code, no text without end.
fn clean(message: &str) -> String {
    let mut text = String::new();
    for c in message.chars() {
        if text.len() > LONGEST {
            text.push_str("...");
            break;
        }
        if c.is_control() { text.extend(c.escape_default()) } else { text.push(c) }
    }
    text
}
