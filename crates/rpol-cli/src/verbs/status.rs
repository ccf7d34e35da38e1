//! `rpol status`: where a study stands.

use super::Target;
use crate::BadInput;
use crate::common::answer::Listing;
use crate::common::output;
use crate::common::table::{Cell, Format, Table, escaped, number};
use crate::common::text::{labelled, params};
use crate::common::{constant, lines, terminal};
use crate::pipe::raw::Fields;
use anyhow::Result;
use rpol::store::{self, Shared, rfc3339};
use rpol::study::{Account, Calibration, Merged, Status, Trial, TrialState};
use serde::Serialize;
use std::fmt::Write;

/// Print where a study stands: rounds, penalties, and the account of every limit
///
/// The csv is the ledger: one row a constraint.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol status cache
  rpol status cache -f json | jq '.ledger[].total'")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    listing: Listing,
}

#[derive(Serialize)]
struct Standing {
    #[serde(flatten)]
    status: Status,
    /// Open trials whose lease is over.
    stale: u64,
    changed_at: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.resume()?;
    let standing = standing(&shared);
    match args.listing.format() {
        Format::Json => output::json(&standing),
        Format::Csv => output::text(&ledger(&standing.status.ledger)?.csv()),
        Format::Table => output::text(&page(&standing)?),
    }
}

fn standing(shared: &Shared) -> Standing {
    let mut status = shared.study().status();
    let is_stale = |trial: &&Trial| store::standing(trial) == TrialState::Stale;
    let stale = shared.study().trials().iter().filter(is_stale).count() as u64;
    status.running -= stale;
    status.warnings.extend(constant::warnings(shared.study()));
    Standing { status, stale, changed_at: shared.times().last().copied().map(rfc3339) }
}

fn page(standing: &Standing) -> Result<String> {
    let Standing { status, stale, changed_at } = standing;
    let mut page = format!("{}\n", escaped(&status.name));
    let width = terminal::of_stdout().unwrap_or(usize::MAX);
    let mut line = |name: &str, value: String| {
        writeln!(page, "{}", labelled(&format!("  {name:<12} "), &value, width))
    };
    line("rounds", status.round.to_string())?;
    line("trials", format!("{}, {} running, {stale} stale", status.trials, status.running))?;
    line("changed", changed_at.clone().unwrap_or_default())?;
    line("best trial", status.best.as_ref().map_or("none yet".into(), |t| t.number.to_string()))?;
    if let Some(recommended) = &status.recommendation {
        line("run now", params(&recommended.outlook.params))?;
        line("because", recommended.grounds())?;
    }
    let numbers =
        |numbers: &[f64]| numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ");
    if !status.penalties.is_empty() {
        line("penalties", numbers(&status.penalties))?;
    }
    for Calibration { metric, answered, within, .. } in &status.calibration {
        if *answered > 0 {
            let share = 100 * within / answered;
            let kept = format!("{share} % of {answered} within their 90 % interval");
            line("forecasts", format!("{}: {kept}", escaped(metric)))?;
        }
    }
    if let Some(Merged { settings, largest }) = &status.merged {
        let apart =
            format!("{settings} settings, at most {} prior deviations apart", number(*largest));
        line("merged", apart)?;
    }
    for warning in &status.warnings {
        line("warning", escaped(warning))?;
    }
    for account in &status.ledger {
        line("limit", escaped(&lines::account(account)))?;
    }
    Ok(page)
}

/// One row an account, one column each of what an account says of itself.
fn ledger(accounts: &[Account]) -> Result<Table> {
    let mut table = Table::default();
    for account in accounts {
        let mut row = vec![Cell::Empty; table.header.len()];
        for (name, cell) in entries("", &serde_json::to_string(account)?)? {
            let column = table.header.iter().position(|known| *known == name);
            let column = column.unwrap_or_else(|| {
                table.header.push(name);
                row.push(Cell::Empty);
                row.len() - 1
            });
            row[column] = cell;
        }
        table.rows.push(row);
    }
    let width = table.header.len();
    table.rows.iter_mut().for_each(|row| row.resize(width, Cell::Empty));
    Ok(table)
}

/// The entries of an object in their order, those of objects within it under `outer.inner`.
fn entries(prefix: &str, object: &str) -> Result<Vec<(String, Cell)>, BadInput> {
    let mut found = Vec::new();
    for (name, value) in Fields::read("account", object)?.0 {
        match value.get().starts_with('{') {
            true => found.extend(entries(&format!("{prefix}{name}."), value.get())?),
            false => found.push((format!("{prefix}{name}"), cell(value.get()))),
        }
    }
    Ok(found)
}

fn cell(json: &str) -> Cell {
    match serde_json::from_str(json) {
        Ok(serde_json::Value::Null) => Cell::Empty,
        Ok(serde_json::Value::String(text)) => Cell::Text(text),
        Ok(serde_json::Value::Number(number)) => match number.as_i64() {
            Some(integer) => Cell::Integer(integer),
            None => number.as_f64().into(),
        },
        _ => Cell::Text(json.into()),
    }
}
