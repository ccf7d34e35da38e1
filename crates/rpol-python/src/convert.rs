//! From Python's values to the library's, each refused by name.

use crate::failure::Failure;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use rpol::study::{Measured, Reported};
use rpol::{Error, Params, Value};

const NUMBER: &str = "a number or (mean, standard error)";

/// As it was given, cut short.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let text = value.repr().map_or_else(|_| "a value without repr".into(), |repr| repr.to_string());
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

pub(crate) fn wrong_type(field: &str, value: &Bound<'_, PyAny>, expected: &'static str) -> Failure {
    Error::WrongType { field: field.into(), value: shown(value), expected }.into()
}

/// `root.name`; a name with other signs than letters is quoted.
fn path(root: &str, name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(plain) {
        true => format!("{root}.{name}"),
        false => format!("{root}.{name:?}"),
    }
}

/// Python's own booleans, and NumPy's, which call themselves numbers.
fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    let numpy = || value.get_type().name().is_ok_and(|name| name == "bool" || name == "bool_");
    value.is_instance_of::<PyBool>() || numpy()
}

fn number(field: &str, value: &Bound<'_, PyAny>, expected: &'static str) -> Result<f64, Failure> {
    if is_bool(value) {
        return Err(wrong_type(field, value, expected));
    }
    match value.extract::<f64>() {
        Ok(number) => Ok(number),
        // An integer beyond every f64.
        Err(_) if value.is_instance_of::<PyInt>() => {
            Err(Error::NotFinite { field: field.into(), value: f64::INFINITY }.into())
        }
        Err(_) => Err(wrong_type(field, value, expected)),
    }
}

/// The number of a trial.
pub(crate) fn trial_number(value: &Bound<'_, PyAny>) -> Result<u64, Failure> {
    let refused = || wrong_type("number", value, "a trial, or the number of one, from 0,");
    if is_bool(value) { Err(refused()) } else { value.extract().map_err(|_| refused()) }
}

/// How many trials to ask for; what is no such number at all is refused like a wrong one.
pub(crate) fn count(value: &Bound<'_, PyAny>) -> Result<u64, Failure> {
    let read = value.extract::<u64>().ok().filter(|_| !is_bool(value));
    let problem = || format!("{} trials: ask for 1 to 1000", shown(value));
    read.ok_or_else(|| Error::InvalidSpec { path: "count".into(), problem: problem() }.into())
}

fn entries<'py>(
    what: &str,
    value: &Bound<'py, PyAny>,
) -> Result<Vec<(String, Bound<'py, PyAny>)>, Failure> {
    let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type(what, value, "a dict"))?;
    let items = mapping.items().map_err(|_| wrong_type(what, value, "a dict"))?;
    let entry = |item: Bound<'py, PyAny>| {
        let (key, value) = item
            .extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()
            .map_err(|_| wrong_type(what, &item, "a pair of name and value"))?;
        let name = key.cast::<PyString>().map_err(|_| wrong_type(what, &key, "a text as name"))?;
        let name = name.to_str().map_err(|_| wrong_type(what, &key, "a name in Unicode"))?;
        Ok((name.to_string(), value))
    };
    items.iter().map(entry).collect()
}

/// Metrics by name, each a number or a pair of mean and standard error.
pub(crate) fn metrics(value: &Bound<'_, PyAny>) -> Result<Vec<(String, Reported)>, Failure> {
    let read = |(name, value): (String, Bound<'_, PyAny>)| {
        let reported = metric(&path("metrics", &name), &value)?;
        Ok((name, reported))
    };
    entries("metrics", value)?.into_iter().map(read).collect()
}

fn metric(field: &str, value: &Bound<'_, PyAny>) -> Result<Reported, Failure> {
    let pair: Vec<Bound<'_, PyAny>> = match (value.cast::<PyTuple>(), value.cast::<PyList>()) {
        (Ok(tuple), _) => tuple.iter().collect(),
        (_, Ok(list)) => list.iter().collect(),
        _ => return Ok(Reported::new(field, number(field, value, NUMBER)?, None)?),
    };
    let [mean, error] = &pair[..] else {
        let (field, found) = (field.into(), pair.len());
        return Err(Error::WrongLength { field, found, expected: 2 }.into());
    };
    let mean = number(field, mean, "a number")?;
    let error = number(&format!("{field} (standard error)"), error, "a number")?;
    Ok(Reported::new(field, mean, Some(error))?)
}

/// A setting.
pub(crate) fn params(value: &Bound<'_, PyAny>) -> Result<Params, Failure> {
    let read = |(name, value): (String, Bound<'_, PyAny>)| {
        let value = param(&path("params", &name), &value)?;
        Ok((name, value))
    };
    entries("params", value)?.into_iter().map(read).collect()
}

fn param(field: &str, value: &Bound<'_, PyAny>) -> Result<Value, Failure> {
    const EXPECTED: &str = "a number, a text or a boolean";
    let refused = || wrong_type(field, value, EXPECTED);
    if is_bool(value) {
        return value.is_truthy().map(Value::Bool).map_err(|_| refused());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_str().map(Value::from).map_err(|_| refused());
    }
    // NumPy's integers are no ints but can stand for one; its floats cannot.
    match value.extract::<i64>() {
        Ok(integer) if !value.is_instance_of::<PyFloat>() => Ok(Value::Int(integer)),
        _ => number(field, value, EXPECTED).map(Value::Float),
    }
}

/// The row of a table, its setting and its metrics.
pub(crate) type Given<'py> = (usize, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Trials that were made elsewhere; an error names the row.
pub(crate) fn history(trials: &[Given<'_>]) -> Result<Vec<Measured>, Failure> {
    let read = |(row, setting, measured): &Given<'_>| {
        let read = params(setting).and_then(|params| Ok((params, metrics(measured)?)));
        read.map_err(|failure| failure.at(*row))
    };
    trials.iter().map(read).collect()
}
