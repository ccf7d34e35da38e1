//! `rpol tell`: what was measured.

use super::measured::Measured;
use crate::common::lines;
use anyhow::Result;
use rpol::store::{rfc3339, standing};
use rpol::study::{Told, Trial, TrialState};
use serde::Serialize;

/// Tell what a trial measured: all of it or some, in any order, early or late
///
/// The same values once more change nothing. Other values are refused: correct replaces them. But a
/// trial that was given out again, as its lease was over, may be told by both workers: what comes
/// second is booked as a further trial of the same setting, and both count.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol tell cache 3 cost=41.5 p99_ms=243+-4
  rpol tell cache 3 --json '{\"cost\": 41.5, \"p99_ms\": [243, 4]}'
  ./measure | rpol tell cache 3 --json -"
)]
pub(crate) struct Args {
    #[command(flatten)]
    measured: Measured,
}

/// As `rpol pipe` answers.
#[derive(Serialize)]
struct Document {
    told: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    /// The trial it was told of, where another worker has told other values of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    further_of: Option<u64>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (mut shared, number) = (args.measured.trial.target.resume()?, args.measured.trial.number);
    let metrics = args.measured.read(shared.study().spec())?;
    let (told, note) = shared.change(|study| {
        let note = study.trial(number).ok().and_then(note);
        Ok((study.tell(number, metrics.iter().cloned())?, note))
    })?;
    let answer = args.measured.answer();
    if let Some(note) = note {
        answer.note(&note);
    }
    let repeated = told == Told::Repeated;
    if repeated {
        answer.note("all of it was on record already: nothing changed");
    }
    let (booked, further_of) = match told {
        Told::Further(further) => (further, Some(number)),
        Told::New | Told::Repeated => (number, None),
    };
    if further_of.is_some() {
        answer.note(&format!(
            "trial {number} was given out again and told by another worker: this is booked as trial {booked} of the same setting"
        ));
    }
    let trial = shared.study().trial(booked)?;
    let document = Document { told: booked, repeated, further_of };
    answer.give(&document, || lines::trial(shared.study(), trial))
}

/// What is to be said of a value for a trial that was not waited for.
fn note(trial: &Trial) -> Option<String> {
    let number = trial.number;
    match (standing(trial), &trial.lease) {
        (TrialState::Stale, Some(lease)) if !lease.is_released() => {
            let until = rfc3339(lease.until);
            Some(format!("trial {number} is late, its lease ended {until}: the values are kept"))
        }
        (TrialState::Fail, _) => {
            Some(format!("trial {number} was noted as failed: the values are kept and count"))
        }
        (TrialState::Abandoned, _) => {
            Some(format!("trial {number} was voided: the values are kept, but do not count"))
        }
        _ => None,
    }
}
