//! `rpol delete`: a study and all it knows.

use super::Target;
use crate::BadInput;
use crate::common::output;
use anyhow::{Result, bail};
use rpol::store::Shared;
use serde_json::json;
use std::io::{self, IsTerminal, Write};

/// Delete a study with everything that was measured
///
/// Asks first; where there is no terminal to ask on, --yes is needed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol export cache -o cache.jsonl && rpol delete cache --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (store, name) = (args.target.storage.existing(None)?, &args.target.study);
    // Even a study whose log is damaged can be deleted.
    let events = store.read(name, 0).map_or(0, |log| log.len());
    if !store.studies()?.contains(name) {
        return Ok(Shared::load(store, name).map(drop)?);
    }
    if !args.yes && !confirmed(&format!("Delete the study {name:?} with its {events} events?"))? {
        bail!("nothing was deleted");
    }
    store.delete(name)?;
    eprintln!("rpol: the study {name:?} is deleted, {events} events");
    output::json(&json!({ "deleted": name, "events": events }))
}

fn confirmed(question: &str) -> Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(BadInput(format!("{question} Say so with --yes")).into());
    }
    eprint!("{question} [y/N] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
