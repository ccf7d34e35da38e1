//! `rpol fail`: a trial that gave no result.

use super::Reasoned;
use anyhow::Result;
use serde_json::json;

/// Note that a trial gave no result, so that nothing waits for it
///
/// What it was told before still counts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol fail cache 3 --reason 'the host went down'")]
pub(crate) struct Args {
    #[command(flatten)]
    reasoned: Reasoned,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let Reasoned { trial, reason, answer } = &args.reasoned;
    trial.target.resume()?.change(|study| study.fail(trial.number, reason))?;
    let number = trial.number;
    answer.give(&json!({ "failed": number }), || format!("trial {number} is noted as failed"))
}
