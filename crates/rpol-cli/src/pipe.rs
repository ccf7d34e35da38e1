//! `rpol pipe`: the library for any language, one JSON object a line.

pub(crate) mod failure;
mod line;
pub(crate) mod raw;
mod session;

use anyhow::Result;
use failure::Failure;
use line::{Line, Lines};
use session::Session;
use std::io::{self, BufRead, Write};

/// The protocol, as `--help` shows it.
pub(crate) const HELP: &str = r#"Ask and tell from any language: one JSON object a line on stdin, one on stdout.

  {"create": {definition}}                          -> {"created": "name"}
  {"ask": {}}                                       -> {"number": 0, "params": {"x": 1.0}}
  {"ask": {"params": {"x": 0.5}}}                   -> the same, for a setting of your own
  {"ask": {"count": 4}}                             -> {"trials": [{"number": 1, "params": ...}, ...]}
  {"tell": {"number": 0, "metrics": {"cost": 0.1}}} -> {"told": 0}; a value is a number or [mean, standard error]
  {"add": {"params": {...}, "metrics": {...}}}      -> {"number": 5}: history
  {"fail": {"number": 3, "reason": "..."}}          -> {"failed": 3}
  {"void": {"number": 3, "reason": "..."}}          -> {"voided": 3}
  {"correct": {"number": 3, "metrics": {...}}}      -> {"corrected": 3}
  {"status": {}}, {"trials": {}}, {"log": {}}       -> where the study stands, and all that happened
  {"replay": [events of a log]}                     -> {"created": "name"}

Whatever is wrong gives {"error": {"kind": "...", "message": "..."}} and changes nothing.
`rpol schema` prints what a definition may say."#;

pub(crate) fn run() -> Result<()> {
    Ok(quiet(serve(io::stdin().lock(), io::stdout().lock()))?)
}

/// A reader that went away is not a failure.
pub(crate) fn quiet(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// What `rpol pipe` does between any two ends: one answer a line, until the input ends.
pub fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (mut lines, mut session) = (Lines::new(input), Session::default());
    while let Some(line) = lines.next()? {
        let answer = match line {
            Line::Text(text) if text.trim_ascii().is_empty() => continue,
            Line::Text(bytes) => respond(&mut session, bytes),
            Line::TooLong(number) => Err(Failure::request(format!(
                "line {number} is longer than {} MiB: send less at a time",
                line::LONGEST >> 20
            ))),
        };
        let answer = answer.unwrap_or_else(|failure| failure.to_json());
        output.write_all(answer.as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

fn respond(session: &mut Session, bytes: &[u8]) -> Result<String, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let problem = format!("byte {} of the line is not UTF-8: send UTF-8", e.valid_up_to());
        Failure::request(problem)
    })?;
    session.answer(text)
}
