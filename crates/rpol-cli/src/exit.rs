//! How a command ends: 0 for success, 1 for a failure, 2 for wrong usage.

use crate::common::output::say;
use rpol::Error;
use rpol::words::message;
use rpol_plot::Refused;
use std::io;

pub(crate) const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;
/// Also what clap ends with.
const WRONG_USAGE: u8 = 2;
/// As shells count an end by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// Input that the user must change, found by the command line itself.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&message(&self.0))
    }
}

impl std::error::Error for BadInput {}

/// The end that the user wanted, of which there is no more to say.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Says what went wrong; the exit code for it.
pub(crate) fn with(error: &anyhow::Error) -> u8 {
    if reader_has_left(error) {
        return SUCCESS;
    }
    if error.is::<Interrupted>() {
        return INTERRUPTED;
    }
    say!("rpol: {}", message(&format!("{error:#}")));
    code(error)
}

/// Prints what clap has to say, which may be the help that was asked for; the exit code for it.
pub(crate) fn of_usage(refused: &clap::Error) -> u8 {
    let words = refused.render();
    if !refused.use_stderr() {
        return refused.print().map_or_else(|error| with(&error.into()), |()| SUCCESS);
    }
    let plain = words.to_string();
    let short = message(&plain);
    // What has nothing to hide or to leave out keeps its colours.
    let shown = if short == plain { words.ansi().to_string() } else { short };
    say!("{}", shown.trim_end());
    WRONG_USAGE
}

fn code(error: &anyhow::Error) -> u8 {
    let typed = error.is::<BadInput>() || error.is::<Refused>();
    let typed = typed || error.downcast_ref::<Error>().is_some_and(is_usage);
    if typed { WRONG_USAGE } else { FAILURE }
}

/// Whether an error is about what the user typed or wrote: a flag, a value, a name, a study's file. All others are
/// about the store, the disk or the program itself, and so is what may be added to the library.
fn is_usage(error: &Error) -> bool {
    match error {
        Error::NotFinite { .. }
        | Error::WrongType { .. }
        | Error::InvalidSpec { .. }
        | Error::OutOfBounds { .. }
        | Error::UnknownName { .. }
        | Error::Missing { .. }
        | Error::UnknownTrial { .. }
        | Error::Compacted { .. }
        | Error::AlreadyTold { .. }
        | Error::NoSafeStart
        | Error::StudyExists { .. }
        | Error::UnknownStudy { .. }
        | Error::WrongLength { .. } => true,
        Error::Infeasible { .. }
        | Error::Conflict { .. }
        | Error::InvalidLog { .. }
        | Error::Storage { .. }
        | Error::Damaged { .. }
        | Error::Singular { .. } => false,
        _ => false,
    }
}

/// As when stdout is piped into `head`: nothing is wrong.
fn reader_has_left(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn what_was_typed_is_wrong_usage_and_the_rest_a_failure() {
        let (place, problem) = (String::from("a.db"), String::from("the disk is full"));
        let failures = [
            Error::Storage { place: place.clone(), problem: problem.clone() }.into(),
            Error::Damaged { place, problem: problem.clone() }.into(),
            Error::InvalidLog { position: 3, problem: problem.clone() }.into(),
            Error::Singular { index: 0, jitter: 1e-6 }.into(),
            io::Error::from(io::ErrorKind::StorageFull).into(),
            anyhow!("anything else"),
        ];
        let usage = [
            Error::UnknownTrial { number: 7, count: 2 }.into(),
            Error::InvalidSpec { path: "params".into(), problem }.into(),
            BadInput("--count".into()).into(),
        ];
        for (errors, expected) in [(&failures[..], FAILURE), (&usage, WRONG_USAGE)] {
            for error in errors {
                assert_eq!(code(error), expected, "{error}");
            }
        }
        let known = Error::UnknownStudy { name: "a".into(), known: "there is none".into() };
        let within = Err::<(), _>(known).context("while loading").unwrap_err();
        assert_eq!(code(&within), WRONG_USAGE);
    }
}
