//! `rpol import`: a study from what export wrote, or history for a study.

use super::find;
use super::history::{self, Added};
use crate::BadInput;
use crate::common::answer::Answer;
use crate::common::storage::Storage;
use crate::common::{decisions, input};
use anyhow::Result;
use rpol::store::{Entry, Exported};
use rpol::study::{ENGINE_VERSION, Event};
use rpol::{Error, Study};
use serde_json::json;
use std::path::PathBuf;

/// Take in what export wrote, or add history to a study
///
/// Without --into the file is a log, jsonl or json, and becomes the same study again: the same
/// events at the same times. Its checksum is checked, and an altered log refused with the line. A
/// log without one, of an older rpol or of rpol pipe, has its decisions made again as fsck does.
///
/// With --into it has trials that were run elsewhere; they inform the models and are not on the
/// ledger. It is a csv with a column for every parameter and metric (and name.sem for a standard
/// error), or lines of {"params": {...}, "metrics": {...}}. All of it is taken, or nothing; trials
/// that the study has already are not added again.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol import cache.jsonl --name cache-copy
  rpol import history.csv --into cache"
)]
pub(crate) struct Args {
    /// The file; - is stdin
    file: PathBuf,
    /// The study's name [default: as in the file]
    #[arg(long, conflicts_with = "into", allow_hyphen_values = true)]
    name: Option<String>,
    /// The study that gains the file's trials
    #[arg(long, value_name = "STUDY", allow_hyphen_values = true)]
    into: Option<String>,
    /// Columns that are none of the study's are left out, not refused
    #[arg(long, requires = "into")]
    ignore_extra: bool,
    /// Make the decisions of the log again, as fsck does
    #[arg(long, conflicts_with = "into")]
    verify: bool,
    /// Take a log without a checksum even where its decisions come out otherwise, as on another kind of processor
    #[arg(long, conflicts_with_all = ["into", "verify"])]
    unverified: bool,
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let text = input::text_of_lines(&args.file)?;
    let named = |problem: BadInput| BadInput(format!("{}: {problem}", input::shown(&args.file)));
    match &args.into {
        Some(study) => {
            let mut shared = find(study, &args.storage)?;
            let spec = shared.study().spec().clone();
            let history = history::read(&text, &spec, args.ignore_extra).map_err(named)?;
            let added = shared.change(|study| Ok(history.add_to(study)))?.map_err(named)?;
            args.answer.note(&history.account(&spec, &added));
            let Added { added, known } = added;
            let document = match known {
                0 => json!({ "added": added, "into": study }),
                _ => json!({ "added": added, "into": study, "known": known }),
            };
            args.answer.give(&document, || format!("{added} trials added to {study}"))
        }
        None => {
            let read = Exported::read(&text);
            begin(args, read.map_err(|error| named(BadInput(error.to_string())))?, named)
        }
    }
}

fn begin(args: &Args, read: Exported, named: impl Fn(BadInput) -> BadInput) -> Result<()> {
    let refused = |error: Error| named(BadInput(error.to_string()));
    let mut log = read.entries.clone();
    if let (Some(Entry { event: Event::Created { spec, .. }, .. }), Some(name)) =
        (log.first_mut(), &args.name)
    {
        spec.name = name.clone();
    }
    let events = log.iter().map(|entry| entry.event.clone()).collect();
    let study = Study::replay(events).map_err(refused)?;
    let found = found(args, &read, &study).map_err(|BadInput(problem)| named(BadInput(problem)))?;
    let name = &study.spec().name;
    match args.storage.open(None)?.append(name, 0, &log) {
        Err(Error::Conflict { .. }) => {
            let remedy = "choose another by --name, or delete that one";
            Err(BadInput(format!("a study named {name:?} exists: {remedy}")).into())
        }
        stored => {
            stored?;
            args.answer.note(&found);
            let events = log.len();
            let document = json!({ "imported": name, "events": events, "verified": read.verified });
            args.answer.give(&document, || format!("the study {name:?} has {events} events"))
        }
    }
}

/// What was found of a log, in a sentence; one that was altered is refused.
fn found(args: &Args, read: &Exported, study: &Study) -> Result<String, BadInput> {
    let count = read.entries.len();
    let mut words = match read.verified {
        true => format!("{count} events, checksum right"),
        false => {
            format!("{count} events, unverified: no checksum, as of an older rpol or of rpol pipe")
        }
    };
    if !read.dated {
        words += "; no times, so they have that of this import";
    }
    let by_this_engine = study.created_by() == Some(ENGINE_VERSION);
    if args.verify || (!read.verified && by_this_engine && !args.unverified) {
        let again = decisions::again(study, &decisions::progress()).map_err(|error| {
            let remedy = if read.verified { "leave out --verify" } else { "--unverified" };
            BadInput(format!("{error}: the log was altered, or made on another kind of processor; {remedy} takes it all the same"))
        })?;
        words +=
            &format!("; {}", again.unwrap_or_else(|| "its decisions are those it leads to".into()));
    }
    Ok(words)
}
