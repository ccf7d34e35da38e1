//! How a command ends: 0 for success, 1 for a failure, 2 for wrong usage.

use rpol::Error;
use std::io;

pub(crate) const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;
/// Also what clap ends with.
const WRONG_USAGE: u8 = 2;

/// Input that the user must change, found by the command line itself.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// Says what went wrong; the exit code for it.
pub(crate) fn with(error: &anyhow::Error) -> u8 {
    if reader_has_left(error) {
        return SUCCESS;
    }
    anstream::eprintln!("rpol: {error:#}");
    code(error)
}

/// Prints what clap has to say, which may be the help that was asked for; the exit code for it.
pub(crate) fn of_usage(refused: &clap::Error) -> u8 {
    // Nobody may be left to read it.
    let _ = refused.print();
    if refused.use_stderr() { WRONG_USAGE } else { SUCCESS }
}

fn code(error: &anyhow::Error) -> u8 {
    let typed = error.is::<BadInput>() || error.downcast_ref::<Error>().is_some_and(is_usage);
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
