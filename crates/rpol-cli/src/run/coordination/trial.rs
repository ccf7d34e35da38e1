//! One trial: the command, tried until it gives a result or has failed often enough.

use super::config::Config;
use crate::common::text::line;
use crate::run::metrics::reader::Reading;
use crate::run::process::child::{self, End, Finished};
use crate::run::process::interrupt::Interrupt;
use crate::run::process::stream::CapturedStream;
use rpol::study::{ExitMeaning, Suggestion};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// What became of a trial.
pub(crate) enum Outcome {
    /// It was run to its end.
    Done(Reading),
    /// The user wants to end: it stays open.
    Interrupted,
}

/// Runs the command of a trial, again where it failed and may be tried again. `alive` hears again and again how long
/// the trial has taken so far.
pub(crate) fn run_trial(
    config: &Config,
    trial: &Suggestion,
    interrupt: &Interrupt,
    alive: &mut dyn FnMut(Duration),
) -> Outcome {
    let began = Instant::now();
    let mut tries_left = config.run.retries;
    loop {
        let reading = match run_once(config, trial, interrupt, &mut || alive(began.elapsed())) {
            Outcome::Interrupted => return Outcome::Interrupted,
            Outcome::Done(reading) => reading,
        };
        if reading.problem.is_none() || tries_left == 0 {
            return Outcome::Done(reading);
        }
        tries_left -= 1;
    }
}

fn run_once(
    config: &Config,
    trial: &Suggestion,
    interrupt: &Interrupt,
    alive: &mut dyn FnMut(),
) -> Outcome {
    let timeout = config.run.timeout.map(|span| span.duration());
    let mut watch = |elapsed: Duration| {
        alive();
        if interrupt.is_raised() {
            return Some(End::Interrupted);
        }
        timeout.filter(|timeout| elapsed >= *timeout).map(|_| End::TimedOut)
    };
    let (command, input) = config.command.of(trial);
    let finished = match child::capture(command, input, interrupt, &mut watch) {
        Ok(finished) => finished,
        Err(error) => return failed(format!("the command cannot be started: {error}")),
    };
    let Finished { end, stdout, stderr } = finished;
    match end {
        End::Interrupted => Outcome::Interrupted,
        End::Lost => failed("the system cannot say how it ended".into()),
        End::TimedOut => partial(config, &stdout, too_long(timeout) + &last_line(&stderr)),
        End::Exited(status) if measures(config, status) => {
            Outcome::Done(config.reader.read(&stdout))
        }
        End::Exited(status) => {
            partial(config, &stdout, child::describe(status) + &last_line(&stderr))
        }
    }
}

/// Whether a command that ended so has measured: some end with a code of their own where a limit was broken.
fn measures(config: &Config, status: ExitStatus) -> bool {
    let meaning = |code: i32| config.run.exit_codes.get(&code.to_string());
    match status.code().and_then(meaning) {
        Some(meaning) => *meaning == ExitMeaning::Measured,
        None => status.success(),
    }
}

/// A failure whose metrics, as far as they were printed before it, are on the books.
fn partial(config: &Config, stdout: &CapturedStream, problem: String) -> Outcome {
    let metrics = config.reader.read(stdout).metrics;
    Outcome::Done(Reading { metrics, problem: Some(problem), ..Reading::default() })
}

fn failed(problem: String) -> Outcome {
    Outcome::Done(Reading { problem: Some(problem), ..Reading::default() })
}

fn too_long(timeout: Option<Duration>) -> String {
    format!("it took longer than {:?}", timeout.unwrap_or_default())
}

/// The last line of stderr: where programs say what went wrong.
fn last_line(stderr: &CapturedStream) -> String {
    const SHOWN: usize = 200;
    let last = stderr.end.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|last| format!(": {}", line(last, SHOWN))).unwrap_or_default()
}
