//! `rpol delete`: a study and all it knows.

use super::Target;
use crate::BadInput;
use crate::common::answer::Answer;
use crate::common::output;
use anyhow::{Result, bail};
use rpol::store::Shared;
use serde_json::json;
use std::io::{self, IsTerminal};

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
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (store, name) = args.target.place()?;
    let name = &name;
    // Even a study whose log is damaged can be deleted.
    let events = store.read(name, 0).map_or(0, |log| log.len());
    if !store.studies()?.contains(name) {
        return Ok(Shared::load(store, name).map(drop)?);
    }
    if !args.yes && !confirmed(&format!("Delete the study {name:?} with its {events} events?"))? {
        bail!("nothing was deleted");
    }
    store.delete(name)?;
    let said = format!("the study {name:?} is deleted, {events} events");
    if args.answer.is_json() {
        args.answer.note(&said);
    }
    args.answer.give(&json!({ "deleted": name, "events": events }), || said)
}

fn confirmed(question: &str) -> Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(BadInput(format!("{question} Say so with --yes")).into());
    }
    output::ask(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
