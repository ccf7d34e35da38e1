//! What serde complains of, in words for people: what was given, what is meant, the nearest name.

use crate::name::{nearest, quoted};

/// The complaint as a sentence about the field at `path`.
pub(super) fn plainly(problem: &str, path: &str) -> String {
    let said = unknown_field(problem)
        .or_else(|| unknown_variant(problem))
        .or_else(|| wrong_type(problem, path))
        .or_else(|| missing_field(problem, path));
    said.unwrap_or_else(|| problem.into())
}

/// Most names that are listed where none is near.
const LISTED: usize = 8;

fn unknown_field(problem: &str) -> Option<String> {
    let (given, known) = given_and_known(problem, "unknown field ")?;
    Some(match nearest(given, &known) {
        Some(meant) => format!("unknown field: did you mean `{meant}`?"),
        None if known.is_empty() => "unknown field: leave it out".into(),
        None => {
            let more = known.len().saturating_sub(LISTED);
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more, which `rpol schema` describes"),
            };
            let listed = &known[..known.len().min(LISTED)];
            format!("unknown field: the fields here are {}{more}", listed.join(", "))
        }
    })
}

fn unknown_variant(problem: &str) -> Option<String> {
    let (given, known) = given_and_known(problem, "unknown variant ")?;
    let meant = nearest(given, &known).map(|meant| format!(": did you mean \"{meant}\"?"));
    let known: Vec<String> = known.iter().map(|name| format!("\"{name}\"")).collect();
    let meant = meant.unwrap_or_default();
    Some(format!("{} is none of {}{meant}", quoted(given), known.join(", ")))
}

/// Of "unknown field `a`, expected one of `b`, `c`": a, and b with c.
fn given_and_known<'a>(problem: &'a str, head: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = problem.strip_prefix(head)?.strip_prefix('`')?;
    let (given, rest) = match rest.rfind("`, expected ").or_else(|| rest.rfind("`, there are")) {
        Some(end) => rest.split_at(end),
        None => (rest.trim_end_matches('`'), ""),
    };
    Some((given, rest.split('`').skip(2).step_by(2).collect()))
}

/// Of "invalid type: string \"a\", expected u64": what stands there, and what is needed.
fn wrong_type(problem: &str, path: &str) -> Option<String> {
    let rest =
        ["invalid type: ", "invalid value: "].iter().find_map(|h| problem.strip_prefix(h))?;
    let (given, expected) = rest.rsplit_once(", expected ")?;
    let text = given.strip_prefix("string ");
    if let (Some(text), "a sequence") = (text, expected) {
        return Some(format!(
            "{text} is a text, and a list is needed: write {}",
            as_list(text, path)
        ));
    }
    Some(format!("{} stands there, and {} is needed", kind(given), needed(expected)))
}

/// The list that was probably meant, to be pasted.
fn as_list(text: &str, path: &str) -> String {
    let is_command = ["run.command", "run.setup", "run.teardown"].contains(&path);
    let meant: String =
        serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches('"').into());
    let needs_shell = meant.contains(['|', '>', '<', ';', '&', '$', '`', '*', '"', '\'']);
    let words: Vec<&str> = match is_command {
        true if needs_shell => vec!["sh", "-c", &meant],
        true => meant.split_whitespace().collect(),
        false => vec![&meant],
    };
    serde_json::to_string(&words).unwrap_or_default().replace("\",\"", "\", \"")
}

/// What was given, without the names that programs have for it.
fn kind(given: &str) -> String {
    let plain =
        |head: &str| given.strip_prefix(head).map(|value| value.trim_matches('`').to_string());
    match given {
        "map" => "a table".into(),
        "sequence" => "a list".into(),
        "null" | "unit value" => "nothing".into(),
        _ => ["string ", "integer ", "floating point ", "boolean "]
            .iter()
            .find_map(|head| plain(head))
            .unwrap_or_else(|| given.into()),
    }
}

/// What is needed, the same way.
fn needed(expected: &str) -> String {
    let text = match expected {
        "u8" | "u32" | "u64" => "a whole number from 0",
        "i64" => "a whole number",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "a table of names and values",
        "internally tagged enum Param" => {
            "a table such as { type = \"float\", low = 0, high = 1 } (or \"int\", or \"categorical\" with choices)"
        }
        "variant identifier" | "string or map" => {
            "one of the names that `rpol schema` lists, in quotes,"
        }
        _ if expected.starts_with("internally tagged enum ") => "a table with a `type`",
        _ if expected.starts_with("struct ") => "a table",
        _ => expected,
    };
    text.into()
}

fn missing_field(problem: &str, path: &str) -> Option<String> {
    problem.strip_prefix("missing field ")?;
    let remedy = match path {
        "params" => {
            "give [params] with one or more, such as x = { type = \"float\", low = 0, high = 1 }"
        }
        "objective" => "give objective = \"minimize METRIC\" or \"maximize METRIC\"",
        "run.command" => "give command = [\"./bench\", \"{name of a parameter}\"]",
        _ => "give it a value",
    };
    Some(format!("missing field: {remedy}"))
}
