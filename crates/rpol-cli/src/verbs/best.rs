//! `rpol best`: the answer so far.

use super::Target;
use crate::common::answer::Listing;
use crate::common::table::{Cell, Format, Table};
use crate::common::{lines, output};
use anyhow::{Result, ensure};
use rpol::store::{Row, Shared};
use rpol::study::{Expectation, Outlook, Recommendation, Study, Trial};
use rpol::{Params, Spec};
use serde::Serialize;

/// Print what to run now and what to expect of it, and the best trial as measured
///
/// What to run now was measured: the setting with the best expected objective among those whose
/// averages keep every limit with the confidence asked for (`confidence`, 0.9 by default); where
/// there is none the baseline, else the setting that comes closest. The best trial as measured is
/// often the luckiest one. Exit code 1 while no trial has kept every limit.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol best cache
  rpol best cache -f json | jq .recommendation.params"
)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    listing: Listing,
}

#[derive(Serialize)]
struct Answer<'a> {
    recommendation: Option<Recommendation>,
    /// The best trial that kept every limit as measured.
    best: Option<Row<'a>>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.resume()?;
    let study = shared.study();
    let best = study.best_trial();
    let recommendation = study.recommendation()?;
    match args.listing.format() {
        Format::Json => {
            let best = shared.best_row();
            output::json(&Answer { recommendation, best })?;
        }
        Format::Table if recommendation.is_none() && best.is_none() => {}
        Format::Table => output::text(&words(study, recommendation.as_ref(), best))?,
        Format::Csv => output::text(&table(study.spec(), recommendation.as_ref(), best).csv())?,
    }
    ensure!(best.is_some(), "{}", none_yet(&shared));
    Ok(())
}

fn none_yet(shared: &Shared) -> String {
    let study = shared.study();
    let (name, trials) = (&study.spec().name, study.status().trials);
    let why = study.unmeasured_in_words().map(|why| format!("; {why}")).unwrap_or_default();
    format!(
        "there is no best trial: none of the {trials} of {name:?} is known to keep every limit{why}"
    )
}

fn words(study: &Study, recommended: Option<&Recommendation>, best: Option<&Trial>) -> String {
    let recommended = recommended.map(|recommended| format!("{recommended}\n"));
    let best = match best {
        Some(best) => {
            format!("best within the limits as measured: {}\n", lines::trial(study, best))
        }
        None => "no trial has kept every limit as measured\n".into(),
    };
    recommended.unwrap_or_default() + &best
}

/// One row for the recommendation, as expected, and one for the best trial, as measured.
fn table(spec: &Spec, recommended: Option<&Recommendation>, best: Option<&Trial>) -> Table {
    let mut header: Vec<String> = ["", "number"].map(String::from).into();
    header.extend(spec.params.params().keys().cloned());
    for metric in spec.metrics() {
        header.extend([metric.to_string(), format!("{metric} (deviation)")]);
    }
    let measured = |trial: &Trial| {
        let value = |metric: &str| trial.metrics.get(metric);
        let value = |metric| value(metric).map(|m| (m.value.get(), m.sem.map(|sem| sem.get())));
        let values = spec.metrics().into_iter().map(value).flat_map(pair);
        row("best trial", trial.number.into(), &trial.params, values)
    };
    let expected = |recommended: &Recommendation| {
        let Outlook { params, objective, limits, .. } = &recommended.outlook;
        let all = limits.iter().filter_map(|limit| limit.expected.as_ref()).chain(objective);
        let all: Vec<&Expectation> = all.collect();
        let value = |metric: &str| {
            let expected = all.iter().find(|expected| expected.metric == metric)?;
            Some((expected.mean, Some(expected.deviation)))
        };
        row(
            "recommended",
            Cell::Empty,
            params,
            spec.metrics().into_iter().map(value).flat_map(pair),
        )
    };
    let rows = recommended.map(expected).into_iter().chain(best.map(measured)).collect();
    Table { header, rows, ..Table::default() }
}

fn pair(value: Option<(f64, Option<f64>)>) -> [Cell; 2] {
    [value.map(|(value, _)| value).into(), value.and_then(|(_, deviation)| deviation).into()]
}

fn row(what: &str, number: Cell, params: &Params, values: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let params = params.values().map(Cell::from);
    [what.into(), number].into_iter().chain(params).chain(values).collect()
}
