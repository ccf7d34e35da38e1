//! `rpol correct`: other values in the place of those told.

use super::measured::Measured;
use crate::common::lines;
use anyhow::Result;
use serde_json::json;

/// Replace told values, as if the right ones had been told; the log keeps the old
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol correct cache 3 cost=40.5
  rpol correct cache 3 --json '{\"p99_ms\": [243, 4]}'")]
pub(crate) struct Args {
    #[command(flatten)]
    measured: Measured,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (mut shared, number) = (args.measured.trial.target.load()?, args.measured.trial.number);
    let metrics = args.measured.read(shared.study().spec())?;
    shared.change(|study| study.correct(number, metrics.iter().cloned()))?;
    let trial = shared.study().trial(number)?;
    let answer = args.measured.answer();
    answer.give(&json!({ "corrected": number }), || lines::trial(shared.study(), trial))
}
