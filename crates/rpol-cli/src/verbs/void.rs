//! `rpol void`: a trial that should not have counted.

use super::Reasoned;
use anyhow::Result;
use serde_json::json;

/// Take a trial out of everything, penalties and ledger too; the log keeps it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol void cache 3 --reason 'the probe was broken'")]
pub(crate) struct Args {
    #[command(flatten)]
    reasoned: Reasoned,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let Reasoned { trial, reason, answer } = &args.reasoned;
    trial.target.load()?.change(|study| study.void(trial.number, reason))?;
    let number = trial.number;
    answer.give(&json!({ "voided": number }), || {
        format!("trial {number} counts no more; the log keeps it")
    })
}
