//! Numbers and names as they are written into pictures.

pub use rpol::words::{digits, shown};
use rpol::{Study, Value};

/// Longest name written out, in characters.
const LONGEST: usize = 36;

/// A value of a parameter: numbers as [`shown`], texts cut where they are long.
#[must_use]
pub fn value(value: &Value) -> String {
    match value {
        Value::Float(x) => shown(*x),
        other => name(&other.to_string()),
    }
}

/// A name, its end left out where it is long.
pub(super) fn name(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        None => name.into(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// The objective's name.
pub(super) fn metric(study: &Study) -> String {
    name(study.spec().objective.metric())
}

/// What is wanted of the objective: "minimize cost".
pub(super) fn aim(study: &Study) -> String {
    format!("{} {}", study.spec().objective.direction(), metric(study))
}

/// "1 trial", "3 trials".
pub(super) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
