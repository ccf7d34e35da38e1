//! `rpol trials`: every trial and what became of it.

use super::{Target, columns};
use crate::common::answer::Listing;
use crate::common::output;
use crate::common::table::Format;
use anyhow::Result;
use rpol::store::Row;
use rpol::study::TrialState;

/// List the trials of a study
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol trials cache
  rpol trials cache --state stale
  rpol trials cache -f json | jq '.[] | select(.feasible) | .params'")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// Only those in this state; stale: the lease is over and nothing was told
    #[arg(long, value_parser = TrialState::ALL.map(TrialState::name))]
    state: Option<String>,
    #[command(flatten)]
    listing: Listing,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.load()?;
    let mut rows = shared.rows();
    rows.retain(|row: &Row<'_>| {
        args.state.as_deref().is_none_or(|state| row.state.name() == state)
    });
    let spec = shared.study().spec();
    match args.listing.format() {
        Format::Table => output::text(&columns::brief(spec, &rows).drawn()),
        Format::Json => output::json(&rows),
        Format::Csv => output::text(&columns::full(spec, &rows).csv()),
    }
}
