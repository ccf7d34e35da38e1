//! `rpol studies`: what a store holds.

use crate::common::answer::Listing;
use crate::common::output;
use crate::common::storage::Storage;
use crate::common::table::{Cell, Format, Table};
use crate::common::text;
use anyhow::Result;
use rpol::store::{Shared, rfc3339};
use serde::Serialize;

/// List the studies of a store
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol studies
  rpol studies --storage sqlite:////var/lib/rpol.db -f json")]
pub(crate) struct Args {
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    listing: Listing,
    /// Print the names alone: of a hundred thousand studies at once, as no log is read
    #[arg(long)]
    names: bool,
}

#[derive(Serialize)]
struct Summary {
    name: String,
    trials: u64,
    objective: String,
    /// The objective of the best trial that kept every limit.
    best: Option<f64>,
    created_at: Option<String>,
    changed_at: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let store = args.storage.existing(None)?;
    if args.names {
        return names(&store.studies()?, args.listing.format());
    }
    let summary = |name: &String| Ok(summary(&Shared::load(store.clone(), name)?));
    let studies = store.studies()?.iter().map(summary).collect::<Result<Vec<_>>>()?;
    match args.listing.format() {
        Format::Table => output::text(&table(studies).drawn()),
        Format::Json => output::json(&studies),
        Format::Csv => output::text(&table(studies).csv()),
    }
}

fn names(names: &[String], format: Format) -> Result<()> {
    match format {
        Format::Json => output::json(&names),
        Format::Table => output::text(&names.iter().map(|name| line(name)).collect::<String>()),
        Format::Csv => {
            let rows = names.iter().map(|name| vec![Cell::Text(name.clone())]).collect();
            let table = Table { header: vec!["name".into()], rows, spare: Vec::new() };
            output::text(&table.csv())
        }
    }
}

/// A name may hold what a terminal would obey.
fn line(name: &str) -> String {
    text::line(name, usize::MAX) + "\n"
}

fn summary(shared: &Shared) -> Summary {
    let (study, times) = (shared.study(), shared.times());
    let objective = study.spec().objective.metric();
    let value = study.best_trial().and_then(|trial| trial.metrics.get(objective));
    Summary {
        name: study.spec().name.clone(),
        trials: study.trials().len() as u64,
        objective: objective.into(),
        best: value.map(|metric| metric.value.get()),
        created_at: times.first().copied().map(rfc3339),
        changed_at: times.last().copied().map(rfc3339),
    }
}

fn table(studies: Vec<Summary>) -> Table {
    let header = ["name", "trials", "objective", "best", "created_at", "changed_at"];
    let row = |study: Summary| {
        vec![
            Cell::Text(study.name),
            study.trials.into(),
            Cell::Text(study.objective),
            study.best.into(),
            study.created_at.as_deref().into(),
            study.changed_at.as_deref().into(),
        ]
    };
    let rows = studies.into_iter().map(row).collect();
    // The times take most of the room.
    Table { header: header.map(String::from).into(), rows, spare: vec![4, 5] }
}
