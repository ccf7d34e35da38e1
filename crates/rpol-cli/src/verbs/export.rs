//! `rpol export`: a study as a file.

use super::{Target, columns};
use crate::common::output;
use anyhow::Result;
use rpol::Spec;
use rpol::store::{Export, Row};
use rpol_plot::write_whole;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write a study to a file or to stdout
///
/// jsonl is the log, one event a line: nothing is lost, and rpol import makes the same study of it.
/// Every line has a checksum of itself and all before it, and the last one says how many there are.
/// json has the definition, the log and the trials; csv has the trials.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol export cache -o cache.jsonl
  rpol export cache -f csv > trials.csv
  rpol export cache | rpol import - --name copy --storage sqlite:///other.db"
)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// As what [default: by the end of the file's name, else jsonl]
    #[arg(long, short, value_enum)]
    format: Option<As>,
    /// The file, written whole or not at all [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum As {
    /// The log, one event a line
    Jsonl,
    /// Definition, log and trials
    Json,
    /// The trials
    Csv,
}

#[derive(Serialize)]
struct Document<'a> {
    spec: &'a Spec,
    #[serde(flatten)]
    export: Export<'a>,
    trials: Vec<Row<'a>>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.load()?;
    let format = args.format.unwrap_or_else(|| by_name(args.out.as_deref()));
    let (spec, entries) = (shared.study().spec(), shared.entries());
    let export = || Export::of(&spec.name, &entries);
    let text = match format {
        As::Jsonl => export()?.lines()?,
        As::Json => {
            let document = Document { spec, export: export()?, trials: shared.rows() };
            serde_json::to_string_pretty(&document)? + "\n"
        }
        As::Csv => columns::full(spec, &shared.rows()).csv(),
    };
    let Some(path) = &args.out else { return output::text(&text) };
    write_whole(path, text.as_bytes())?;
    let (events, path) = (entries.len(), path.display());
    eprintln!("rpol: {events} events of {:?} are in {path}", spec.name);
    Ok(())
}

fn by_name(path: Option<&Path>) -> As {
    match path.and_then(Path::extension).and_then(|end| end.to_str()) {
        Some("csv") => As::Csv,
        Some("json") => As::Json,
        _ => As::Jsonl,
    }
}
