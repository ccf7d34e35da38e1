//! `rpol import`: a study from what export wrote, or history for a study.

use super::find;
use super::history::{self, Added};
use crate::BadInput;
use crate::common::answer::Answer;
use crate::common::input;
use crate::common::storage::Storage;
use crate::pipe::raw::Fields;
use anyhow::Result;
use rpol::store::Entry;
use rpol::study::Event;
use rpol::{Error, Study};
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;

/// Take in what export wrote, or add history to a study
///
/// Without --into the file is a log, jsonl or json, and becomes the same study again: the same
/// events at the same times.
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
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let text = input::text(&args.file)?;
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
        None => begin(args, entries(&text).map_err(named)?, named),
    }
}

fn begin(args: &Args, mut log: Vec<Entry>, named: impl Fn(BadInput) -> BadInput) -> Result<()> {
    if let (Some(Entry { event: Event::Created { spec, .. }, .. }), Some(name)) =
        (log.first_mut(), &args.name)
    {
        spec.name = name.clone();
    }
    let events = log.iter().map(|entry| entry.event.clone()).collect();
    let study = Study::replay(events).map_err(|error| named(BadInput(error.to_string())))?;
    let name = &study.spec().name;
    match args.storage.open(None)?.append(name, 0, &log) {
        Err(Error::Conflict { .. }) => {
            let remedy = "choose another by --name, or delete that one";
            Err(BadInput(format!("a study named {name:?} exists: {remedy}")).into())
        }
        stored => {
            stored?;
            let events = log.len();
            let document = json!({ "imported": name, "events": events });
            args.answer.give(&document, || format!("the study {name:?} has {events} events"))
        }
    }
}

#[derive(Deserialize)]
struct Document {
    log: Vec<Entry>,
}

/// The log of a json document, or of one event a line.
fn entries(text: &str) -> Result<Vec<Entry>, BadInput> {
    let whole = Fields::read("it", text).is_ok_and(|fields| fields.get("log").is_some());
    if whole {
        let document = serde_json::from_str::<Document>(text);
        return document.map(|d| d.log).map_err(|error| BadInput(error.to_string()));
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(i, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let (line, column, text) = (i + 1, error.column(), error.to_string());
            let problem = text.split(" at line ").next().unwrap_or_default();
            BadInput(format!("line {line} column {column}: {problem}"))
        })
    };
    lines.map(read).collect()
}
