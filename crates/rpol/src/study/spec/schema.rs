//! The JSON Schema of a definition, for people and their editors.

use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;

/// The schema with descriptions that say nothing of Rust: the documentation they come from has links and tests.
pub(super) fn for_people(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                *value = match value.take() {
                    Value::String(text) if key == "description" => plain(&text).into(),
                    other => for_people(other),
                };
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = for_people(value.take())),
        _ => {}
    }
    schema
}

/// A documentation's text without its tests and headings, and with links as the words that they are on.
fn plain(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join(" ");
    let (mut plain, mut rest) = (String::new(), outside.as_str());
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else { break };
        plain.push_str(before);
        plain.push_str(name.rsplit("::").next().unwrap_or(name));
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of a definition in JSON with spaces where it names its schema, as editors want it to: every other place in it
/// stays where it is.
pub(super) fn without_mention(text: &str) -> Cow<'_, str> {
    const KEY: &str = "\"$schema\"";
    let fields = serde_json::from_str::<HashMap<String, &RawValue>>(text).unwrap_or_default();
    let Some(value) = fields.get("$schema") else { return text.into() };
    let start = value.get().as_ptr() as usize - text.as_ptr() as usize;
    let end = start + value.get().len();
    let Some(key) = text[..start].rfind(KEY) else { return text.into() };
    let after = &text[end..];
    let comma = after.trim_start().starts_with(',').then(|| end + after.find(',').unwrap_or(0));
    let before = text[..key].trim_end();
    let comma = comma.or_else(|| before.ends_with(',').then(|| before.len() - 1));
    let is_blank = |at: usize| (key..end).contains(&at) || Some(at) == comma;
    let blank = |(at, c): (usize, char)| if is_blank(at) && c != '\n' { ' ' } else { c };
    text.char_indices().map(blank).collect::<String>().into()
}
