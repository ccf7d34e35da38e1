//! Trials from elsewhere: a table, or lines of JSON.

use super::columns::{Column, columns};
use super::given;
use crate::BadInput;
use crate::common::csv::{self, Record};
use crate::common::table::escaped;
use crate::pipe::raw::{self, Fields};
use rpol::study::{Reported, Study};
use rpol::{Params, Spec, Value, nearest};

/// Trials that a file has, not yet judged by the study.
#[derive(Default)]
pub(super) struct History {
    trials: Vec<Trial>,
    /// Rows of an exported table that are no finished trials.
    left: usize,
    /// Columns of a table that are none of the study's.
    ignored: Vec<String>,
}

/// What became of a history.
pub(super) struct Added {
    pub(super) added: usize,
    /// Trials that the study had already, as when a file is imported twice.
    pub(super) known: usize,
}

struct Trial {
    line: usize,
    params: Params,
    metrics: Vec<(String, Reported)>,
}

const FIELDS: &[&str] = &["params", "metrics"];

/// Lines of JSON where the text begins with a brace, a table else.
pub(super) fn read(text: &str, spec: &Spec, ignore_extra: bool) -> Result<History, BadInput> {
    let history = match text.trim_start().starts_with('{') {
        true => lines(text)?,
        false => table(text, spec, ignore_extra)?,
    };
    match history.trials.len() {
        0 => Err(BadInput("it has no trials: give one or more".into())),
        _ => Ok(history),
    }
}

fn lines(text: &str) -> Result<History, BadInput> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(i, text): (usize, &str)| trial(i + 1, text).map_err(|problem| at(i + 1, problem));
    let trials = lines.map(read).collect::<Result<_, _>>()?;
    Ok(History { trials, ..History::default() })
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

fn table(text: &str, spec: &Spec, ignore_extra: bool) -> Result<History, BadInput> {
    let mut records = csv::records(text)?.into_iter();
    let Some(header) = records.next() else { return Ok(History::default()) };
    let columns = recognised(&header, spec, ignore_extra)?;
    let mut history = History::default();
    let unknown = columns.iter().zip(&header.cells).filter(|(known, _)| known.is_none());
    history.ignored = unknown.map(|(_, cell)| escaped(cell.trim())).collect();
    for mut record in records {
        let width = columns.len();
        if record.cells.len() == width {
            let mut known = columns.iter().map(Option::is_some);
            record.cells.retain(|_| known.next().unwrap_or(true));
        } else {
            let found = record.cells.len();
            let problem = format!("{found} cells under a header of {width}: give {width}");
            return Err(at(record.line, problem));
        }
        match row(&record, &columns.iter().flatten().cloned().collect::<Vec<_>>(), spec)? {
            Some(trial) => history.trials.push(trial),
            None => history.left += 1,
        }
    }
    Ok(history)
}

/// What each cell of the header stands for; nothing where it is to be ignored.
fn recognised(
    header: &Record,
    spec: &Spec,
    ignore_extra: bool,
) -> Result<Vec<Option<(String, Column)>>, BadInput> {
    let known = columns(spec);
    let mut found: Vec<Option<(String, Column)>> = Vec::new();
    for (i, cell) in header.cells.iter().enumerate() {
        let cell = csv::original(cell.trim());
        let named =
            |(own, column): &&(String, Column)| own == cell || column.qualified(own) == cell;
        let refused =
            |problem: &str| at(header.line, format!("column {} is {cell:?}: {problem}", i + 1));
        let Some((_, column)) = known.iter().find(named) else {
            if ignore_extra {
                found.push(None);
                continue;
            }
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            let meant = nearest(cell, &names).map(|meant| format!("did you mean {meant:?}? "));
            let (meant, names) = (meant.unwrap_or_default(), names.join(", "));
            return Err(refused(&format!("{meant}use one of {names}, or --ignore-extra")));
        };
        if found.iter().flatten().any(|(_, other)| other == column) {
            return Err(refused("it stands there twice, drop one"));
        }
        found.push(Some((cell.into(), column.clone())));
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
    /// All of the trials that the study does not have yet, or none: what it refuses is named by its line.
    pub(super) fn add_to(&self, study: &mut Study) -> Result<Added, BadInput> {
        let measured = |trial: &Trial| (trial.params.clone(), trial.metrics.clone());
        let trials: Vec<_> = self.trials.iter().map(measured).collect();
        let added = study.add_new(&trials);
        let added = added.map_err(|(place, problem)| at(self.trials[place].line, problem))?.len();
        Ok(Added { added, known: trials.len() - added })
    }

    /// What was read, in a sentence or two: a column that is missing would go unnoticed otherwise.
    pub(super) fn account(&self, spec: &Spec, added: &Added) -> String {
        let has =
            |metric: &&str| self.trials.iter().any(|t| t.metrics.iter().any(|m| m.0 == **metric));
        let (present, missing): (Vec<&str>, Vec<&str>) = spec.metrics().into_iter().partition(has);
        let params: Vec<String> = spec.params.params().keys().map(|name| escaped(name)).collect();
        let list = |names: &[&str]| names.iter().map(|n| escaped(n)).collect::<Vec<_>>().join(", ");
        let mut parts = vec![format!(
            "{} trials read: parameters {}; metrics {}",
            self.trials.len(),
            params.join(", "),
            list(&present)
        )];
        let needed: Vec<&str> =
            missing.into_iter().filter(|metric| spec.outputs().contains(metric)).collect();
        if !needed.is_empty() {
            parts
                .push(format!("no value of {}: nothing is learned of it from them", list(&needed)));
        }
        if added.known > 0 {
            parts.push(format!("{} were there already and change nothing", added.known));
        }
        if !self.ignored.is_empty() {
            parts.push(format!("ignored: {}", self.ignored.join(", ")));
        }
        if self.left > 0 {
            parts.push(format!("{} rows are left out, as their state is not complete", self.left));
        }
        parts.join("; ")
    }
}
