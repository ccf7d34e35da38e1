//! `name=value` as arguments and cells have it.

use crate::BadInput;
use crate::common::table::escaped;
use rpol::study::Reported;
use rpol::words::excerpt;
use rpol::{Param, Params, Space, Value};

/// Metrics, each `name=0.5` or, with its standard error, `name=0.5+-0.02`.
pub(super) fn metrics(given: &[String], known: &[&str]) -> anyhow::Result<Vec<(String, Reported)>> {
    let mut metrics: Vec<(String, Reported)> = Vec::new();
    for pair in given {
        let (name, value) = split(pair, known)?;
        once(name, metrics.iter().any(|(other, _)| other == name))?;
        metrics.push((name.into(), metric(name, value)?));
    }
    Ok(metrics)
}

/// A metric's value, with or without its standard error.
pub(super) fn metric(name: &str, text: &str) -> anyhow::Result<Reported> {
    let expected = "a number such as 0.5, or 0.5+-0.02 with its standard error,";
    let (value, sem) = match text.split_once("+-") {
        Some((value, sem)) => (value, Some(sem)),
        None => (text, None),
    };
    let value = number(name, value, expected)?;
    let sem = sem.map(|sem| number(&format!("{name} (standard error)"), sem, expected));
    Ok(Reported::new(name, value, sem.transpose()?)?)
}

/// A setting; that it is complete and within bounds is for the study to say.
pub(super) fn params(given: &[String], space: &Space) -> anyhow::Result<Params> {
    let known: Vec<&str> = space.params().keys().map(String::as_str).collect();
    let mut params = Params::new();
    for pair in given {
        let (name, text) = split(pair, &known)?;
        once(name, params.contains_key(name))?;
        let value = match space.params().get(name) {
            Some(param) => value(name, text, param)?,
            None => Value::Text(text.into()),
        };
        params.insert(name.into(), value);
    }
    Ok(params)
}

/// A parameter's value in its own type. A choice is meant as JSON where it is one, so that `"1"` in quotes is the
/// text beside the number, and as the bare text else.
pub(super) fn value(name: &str, text: &str, param: &Param) -> Result<Value, BadInput> {
    match param {
        Param::Float { .. } => number(name, text, "a number").map(Value::Float),
        Param::Int { .. } => match text.parse() {
            Ok(integer) => Ok(Value::Int(integer)),
            Err(_) => number(name, text, "an integer").map(Value::Float),
        },
        Param::Categorical { choices } => {
            let meant = serde_json::from_str::<Value>(text).ok();
            let known = meant.filter(|value| choices.iter().any(|choice| choice.same(value)));
            Ok(known.unwrap_or_else(|| Value::Text(text.into())))
        }
    }
}

/// The name and the value of `name=value`. A name may hold a `=` itself: the longest known one counts.
fn split<'a>(pair: &'a str, known: &[&str]) -> Result<(&'a str, &'a str), BadInput> {
    let fits = |name: &&&str| pair.strip_prefix(**name).is_some_and(|rest| rest.starts_with('='));
    let end = match known.iter().filter(fits).map(|name| name.len()).max() {
        Some(length) => Some(length),
        None => pair.find('='),
    };
    let end = end.ok_or_else(|| BadInput(format!("{}: write name=value", quoted(pair))))?;
    Ok((&pair[..end], &pair[end + 1..]))
}

fn once(name: &str, already: bool) -> Result<(), BadInput> {
    match already {
        false => Ok(()),
        true => Err(BadInput(format!("{} is given twice: give it once", escaped(name)))),
    }
}

/// A finite number, to the last bit of what is written.
pub(super) fn number(field: &str, text: &str, expected: &str) -> Result<f64, BadInput> {
    let field = escaped(field);
    match text.parse::<f64>() {
        // The sum turns -0.0 into 0.0.
        Ok(number) if number.is_finite() => Ok(number + 0.0),
        Ok(_) => {
            let text = excerpt(text, 80);
            Err(BadInput(format!("{field} is {text}: a finite number is needed")))
        }
        Err(_) => Err(BadInput(format!("{field} is {}: {expected} is needed", quoted(text)))),
    }
}

fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
