//! `rpol best`: the answer so far.

use super::Target;
use crate::common::answer::Listing;
use crate::common::output;
use crate::common::table::{Cell, Format, Table};
use anyhow::{Result, bail};
use rpol::store::{Row, Shared};
use rpol::study::{Belief, Prediction, Study, Trial};
use rpol::{Params, Spec};
use serde::Serialize;

/// Print the best trial that kept every limit, and what to run now
///
/// The incumbent is what to run now: the setting with the best expected objective among those the
/// models hold feasible. What is expected of it: the objective in its own unit, and how far beyond
/// each limit it is, 0 or less being kept. Exit code 1 while no trial has kept every limit.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol best cache
  rpol best cache -f json | jq .incumbent.params"
)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    listing: Listing,
}

#[derive(Serialize)]
struct Answer<'a> {
    best: Option<&'a Row<'a>>,
    incumbent: Option<Incumbent>,
}

#[derive(Serialize)]
struct Incumbent {
    params: Params,
    /// Absent while the models have nothing to go by.
    expected: Option<Prediction>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.load()?;
    let (study, rows) = (shared.study(), shared.rows());
    let best = study.best_trial();
    let incumbent = incumbent(study)?;
    match args.listing.format() {
        Format::Json => {
            let best = best.map(|trial| &rows[trial.number as usize]);
            output::json(&Answer { best, incumbent })?;
        }
        Format::Table if best.is_none() && incumbent.is_none() => {}
        Format::Table => output::text(&table(study.spec(), best, incumbent.as_ref()).drawn())?,
        Format::Csv => output::text(&table(study.spec(), best, incumbent.as_ref()).csv())?,
    }
    match best {
        Some(_) => Ok(()),
        None => bail!("{}", none_yet(&shared)),
    }
}

fn incumbent(study: &Study) -> rpol::Result<Option<Incumbent>> {
    let Some(params) = study.incumbent()? else { return Ok(None) };
    let objective = study.spec().objective.metric();
    let is_measured = study.trials().iter().any(|trial| trial.metrics.contains_key(objective));
    let predictions = study.predict(std::slice::from_ref(&params))?;
    let expected = predictions.and_then(|mut each| each.pop()).filter(|_| is_measured);
    Ok(Some(Incumbent { params, expected }))
}

fn none_yet(shared: &Shared) -> String {
    let (name, trials) = (&shared.study().spec().name, shared.study().trials().len());
    format!("there is no best trial: none of the {trials} of {name:?} is known to keep every limit")
}

/// One row for the trial, as observed, and one for the incumbent, as expected.
fn table(spec: &Spec, best: Option<&Trial>, incumbent: Option<&Incumbent>) -> Table {
    let objective = spec.objective.metric();
    let mut header = vec!["".into(), "number".into()];
    header.extend(spec.params.params().keys().cloned());
    let outputs = spec.constraints.iter().map(|limit| format!("beyond {limit}"));
    for output in std::iter::once(objective.to_string()).chain(outputs) {
        header.extend([output.clone(), format!("{output} (deviation)")]);
    }
    let observed = |trial: &Trial| {
        let value = trial.metrics.get(objective);
        let value = value.map(|m| (m.value.get(), m.sem.map(|sem| sem.get())));
        let costs = trial.costs().into_iter().map(|cost| cost.map(|cost| (cost, None)));
        let values = std::iter::once(value).chain(costs).flat_map(pair);
        row("best trial", trial.number.into(), &trial.params, values)
    };
    let expected = |incumbent: &Incumbent| {
        let beliefs = incumbent
            .expected
            .iter()
            .flat_map(|at| std::iter::once(at.objective).chain(at.constraints.iter().copied()));
        let values =
            beliefs.flat_map(|Belief { mean, deviation }| pair(Some((mean, Some(deviation)))));
        row("incumbent", Cell::Empty, &incumbent.params, values)
    };
    let mut rows: Vec<Vec<Cell>> =
        best.map(observed).into_iter().chain(incumbent.map(expected)).collect();
    rows.iter_mut().for_each(|row| row.resize(header.len(), Cell::Empty));
    Table { header, rows, ..Table::default() }
}

fn pair(value: Option<(f64, Option<f64>)>) -> [Cell; 2] {
    [value.map(|(value, _)| value).into(), value.and_then(|(_, deviation)| deviation).into()]
}

fn row(what: &str, number: Cell, params: &Params, values: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let params = params.values().map(Cell::from);
    [what.into(), number].into_iter().chain(params).chain(values).collect()
}
