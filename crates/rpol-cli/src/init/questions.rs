//! The five questions, on a terminal.

use super::draft::Draft;
use crate::common::output::{self, say};
use anyhow::{Result, bail};
use std::io::BufRead;

/// Asks for whatever is missing, again where an answer cannot be used.
pub(super) fn ask(draft: &mut Draft, answers: &mut impl BufRead) -> Result<()> {
    if !draft.has_objective() {
        let question =
            "1. What is to be improved? minimize METRIC or maximize METRIC, such as minimize cost";
        until_taken(question, answers, |answer| draft.take_objective(answer))?;
    }
    if !draft.has_params() {
        say!("2. What may be set? One parameter a line, an empty line ends the list:");
        say!("   workers=int:2:16   ttl_s=float:1:3600:log   mode=choice:lru,fifo");
        while let Some(line) = several(answers, draft.has_params())? {
            complain(draft.take_param(&line));
        }
    }
    if !draft.has_limits() {
        say!("3. Which limits are to be kept? One a line, such as p99_ms <= 250; empty: no more");
        while let Some(line) = several(answers, true)? {
            complain(draft.take_limit(&line));
        }
    }
    if !draft.has_baseline() {
        let question =
            "4. What runs today and keeps them? name=value for every parameter; empty: not known";
        until_taken(question, answers, |answer| draft.take_baseline(answer))?;
    }
    if !draft.has_command() {
        let question =
            "5. Which command measures a setting, such as ./bench --ttl {ttl_s}? empty: later";
        until_taken(question, answers, |answer| draft.take_command(answer))?;
    }
    Ok(())
}

fn until_taken(
    question: &str,
    answers: &mut impl BufRead,
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<()> {
    say!("{question}");
    while !complain(take(&line(answers)?)) {}
    Ok(())
}

/// The next line of a list; none where it has ended. It cannot end before it `may`.
fn several(answers: &mut impl BufRead, may: bool) -> Result<Option<String>> {
    loop {
        match line(answers)? {
            answer if !answer.is_empty() => return Ok(Some(answer)),
            _ if may => return Ok(None),
            _ => say!("   one at least"),
        }
    }
}

fn line(answers: &mut impl BufRead) -> Result<String> {
    output::ask("> ");
    let mut answer = String::new();
    if answers.read_line(&mut answer)? == 0 {
        bail!("nothing was written: the answers ended");
    }
    Ok(answer.trim().into())
}

/// Whether an answer was taken; else what is wrong with it is said.
fn complain(taken: Result<(), String>) -> bool {
    if let Err(problem) = &taken {
        say!("   {problem}");
    }
    taken.is_ok()
}
