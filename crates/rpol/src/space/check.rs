//! Which definitions make a usable space; every refusal names the field, the value and the remedy.

use super::{Param, Value};
use crate::{Error, Result, name};
use std::collections::HashMap;

/// Integers of larger magnitude are not all `f64` numbers.
const LARGEST_INT: i64 = 1 << 53;
/// With more levels than this, two neighbours can share one place in [0, 1].
const WIDEST_INT: u64 = 1 << 50;
/// The same on a logarithmic scale, where rounding is coarser at the high end.
const WIDEST_LOG_INT: u64 = 1 << 42;

/// Refuses empty spaces, bad names and names that differ by case only.
pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for own in names {
        if let Some(fault) = name::fault(own) {
            return Err(Error::spec(name::path("params", own), fault));
        }
        if let Some(other) = seen.insert(name::folded(own), own) {
            let (own, other) = (name::quoted(own), name::quoted(other));
            let problem = format!(
                "the name {own} stands beside {other}: names must differ by more than case, rename one"
            );
            return Err(Error::spec("params", problem));
        }
    }
    match seen.len() {
        0 => Err(Error::spec("params", "there are 0 parameters: define one or more")),
        _ => Ok(()),
    }
}

/// The definition with -0.0 as 0.0, or what is wrong with it.
pub(super) fn param(path: &str, param: Param) -> Result<Param> {
    match param {
        Param::Float { low, high, log } => float(path, low + 0.0, high + 0.0, log),
        Param::Int { low, high, log } => int(path, low, high, log),
        Param::Categorical { choices } => categorical(path, choices),
    }
}

fn float(path: &str, low: f64, high: f64, log: bool) -> Result<Param> {
    for (end, value) in [("low", low), ("high", high)] {
        if !value.is_finite() {
            return fail(path, end, format!("{value} is not finite: give a finite bound"));
        }
    }
    ordered(path, low, high)?;
    if log && low <= 0.0 {
        return fail(path, "low", format!("{low:?} on a log scale: raise it above 0 or drop log"));
    }
    if !(high - low).is_finite() {
        let problem = format!("{high:?} - {low:?} overflows: bring the bounds closer together");
        return fail(path, "high", problem);
    }
    Ok(Param::Float { low, high, log })
}

fn int(path: &str, low: i64, high: i64, log: bool) -> Result<Param> {
    for (end, value) in [("low", low), ("high", high)] {
        if value.unsigned_abs() > LARGEST_INT.unsigned_abs() {
            let problem = format!("{value} is too large: stay within ±{LARGEST_INT} (2^53)");
            return fail(path, end, problem);
        }
    }
    ordered(path, low, high)?;
    if log && low <= 0 {
        return fail(path, "low", format!("{low} on a log scale: raise it to 1 or drop log"));
    }
    let widest = if log { WIDEST_LOG_INT } else { WIDEST_INT };
    if high.abs_diff(low) > widest {
        let problem = format!("{high} lies more than {widest} above low ({low}): use type float");
        return fail(path, "high", problem);
    }
    Ok(Param::Int { low, high, log })
}

fn ordered<T: PartialOrd + std::fmt::Debug>(path: &str, low: T, high: T) -> Result<()> {
    if low <= high {
        return Ok(());
    }
    fail(path, "low", format!("{low:?} is above high ({high:?}): swap them"))
}

fn categorical(path: &str, choices: Vec<Value>) -> Result<Param> {
    if choices.is_empty() {
        return fail(path, "choices", "there are 0 choices: give one or more".into());
    }
    for (i, own) in choices.iter().enumerate() {
        if let Some(problem) = choice_fault(own, &choices[..i]) {
            return fail(path, &format!("choices[{i}]"), problem);
        }
    }
    let unsigned = |choice| match choice {
        Value::Float(number) => Value::Float(number + 0.0),
        other => other,
    };
    Ok(Param::Categorical { choices: choices.into_iter().map(unsigned).collect() })
}

fn choice_fault(own: &Value, before: &[Value]) -> Option<String> {
    match own {
        Value::Float(number) if !number.is_finite() => {
            Some(format!("{number} is not finite: give a finite number"))
        }
        // A command line cannot carry it.
        Value::Text(text) if text.contains('\0') => {
            Some(format!("{} holds a NUL: leave it out", own.quoted()))
        }
        _ if before.iter().any(|other| other.same(own)) => {
            Some(format!("{} stands there twice: drop one", own.quoted()))
        }
        _ => None,
    }
}

fn fail<T>(path: &str, field: &str, problem: String) -> Result<T> {
    Err(Error::spec(format!("{path}.{field}"), problem))
}
