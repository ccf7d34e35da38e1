//! Trials from elsewhere: a table, or lines of JSON.

use super::columns::{Column, columns};
use super::given;
use crate::BadInput;
use crate::common::csv::{self, Record};
use crate::pipe::raw::{self, Fields};
use rpol::study::{Reported, Study};
use rpol::{Params, Spec, Value};

/// Trials that a file has, not yet judged by the study.
#[derive(Default)]
pub(super) struct History {
    trials: Vec<Trial>,
    /// Rows of an exported table that are no finished trials.
    left: usize,
}

struct Trial {
    line: usize,
    params: Params,
    metrics: Vec<(String, Reported)>,
}

const FIELDS: &[&str] = &["params", "metrics"];

/// Lines of JSON where the text begins with a brace, a table else.
pub(super) fn read(text: &str, spec: &Spec) -> Result<History, BadInput> {
    let history = match text.trim_start().starts_with('{') {
        true => lines(text)?,
        false => table(text, spec)?,
    };
    match history.trials.len() {
        0 => Err(BadInput("it has no trials: give one or more".into())),
        _ => Ok(history),
    }
}

fn lines(text: &str) -> Result<History, BadInput> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(i, text): (usize, &str)| trial(i + 1, text).map_err(|problem| at(i + 1, problem));
    Ok(History { trials: lines.map(read).collect::<Result<_, _>>()?, left: 0 })
}

fn trial(line: usize, text: &str) -> Result<Trial, BadInput> {
    let text = raw::legible(text);
    let fields = Fields::read("a trial", &text)?.only("a trial", FIELDS)?;
    let params = raw::params(fields.need("params", FIELDS)?.get())?;
    let metrics = raw::metrics(fields.need("metrics", FIELDS)?.get())?;
    Ok(Trial { line, params, metrics })
}

fn at(line: usize, problem: impl std::fmt::Display) -> BadInput {
    BadInput(format!("line {line}: {problem}"))
}

fn table(text: &str, spec: &Spec) -> Result<History, BadInput> {
    let mut records = csv::records(text)?.into_iter();
    let Some(header) = records.next() else { return Ok(History::default()) };
    let columns = recognised(&header, spec)?;
    let mut history = History::default();
    for record in records {
        match row(&record, &columns, spec)? {
            Some(trial) => history.trials.push(trial),
            None => history.left += 1,
        }
    }
    Ok(history)
}

/// What each cell of the header stands for.
fn recognised(header: &Record, spec: &Spec) -> Result<Vec<(String, Column)>, BadInput> {
    let known = columns(spec);
    let mut found: Vec<(String, Column)> = Vec::new();
    for (i, cell) in header.cells.iter().enumerate() {
        let cell = csv::original(cell.trim());
        let named =
            |(own, column): &&(String, Column)| own == cell || column.qualified(own) == cell;
        let refused =
            |problem: &str| at(header.line, format!("column {} is {cell:?}: {problem}", i + 1));
        let Some((_, column)) = known.iter().find(named) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            return Err(refused(&format!("use one of {}", names.join(", "))));
        };
        if found.iter().any(|(_, other)| other == column) {
            return Err(refused("it stands there twice, drop one"));
        }
        found.push((cell.into(), column.clone()));
    }
    Ok(found)
}

/// A trial; `None` where the row says that it is none that finished.
fn row(
    record: &Record,
    columns: &[(String, Column)],
    spec: &Spec,
) -> Result<Option<Trial>, BadInput> {
    let Record { line, cells } = record;
    if cells.len() != columns.len() {
        let (found, needed) = (cells.len(), columns.len());
        return Err(at(*line, format!("{found} cells under a header of {needed}: give {needed}")));
    }
    let state = columns.iter().position(|(_, column)| *column == Column::State);
    if state.is_some_and(|i| cells[i] != "complete") {
        return Ok(None);
    }
    let mut trial = Trial { line: *line, params: Params::new(), metrics: Vec::new() };
    for (i, ((_, column), cell)) in columns.iter().zip(cells).enumerate() {
        let placed = |problem: String| BadInput(format!("line {line} column {}: {problem}", i + 1));
        match column {
            Column::Param(name) => {
                let value = param(name, cell, spec).map_err(|e| placed(e.0))?;
                trial.params.insert(name.clone(), value);
            }
            Column::Metric(name) if !cell.trim().is_empty() => {
                let error = columns.iter().position(|(_, c)| *c == Column::Error(name.clone()));
                let sem = error.map_or("", |i| cells[i].trim());
                let text = match sem {
                    "" => cell.trim().to_string(),
                    sem => format!("{}+-{sem}", cell.trim()),
                };
                let value = given::metric(name, &text).map_err(|e| placed(e.to_string()))?;
                trial.metrics.push((name.clone(), value));
            }
            _ => {}
        }
    }
    Ok(Some(trial))
}

/// A cell as it stands where it is a choice, else as it was before it was made harmless.
fn param(name: &str, cell: &str, spec: &Spec) -> Result<Value, BadInput> {
    let param = &spec.params.params()[name];
    let own = given::value(name, cell.trim(), param);
    let rpol::Param::Categorical { choices } = param else { return own };
    for text in [cell, csv::original(cell)] {
        let value = given::value(name, text, param)?;
        if choices.iter().any(|choice| choice.same(&value)) {
            return Ok(value);
        }
    }
    own
}

impl History {
    /// All of the trials, or none: what the study refuses is named by its line.
    pub(super) fn add_to(&self, study: &mut Study) -> Result<usize, BadInput> {
        let mut longer = study.clone();
        for Trial { line, params, metrics } in &self.trials {
            let added = longer.add(params.clone(), metrics.iter().cloned());
            added.map_err(|problem| at(*line, problem))?;
        }
        *study = longer;
        Ok(self.trials.len())
    }

    pub(super) fn say_what_was_left(&self) {
        if self.left > 0 {
            eprintln!("rpol: {} rows are left out, as their state is not complete", self.left);
        }
    }
}
