//! One trial: the command, tried until it gives a result or has failed often enough.

use super::child::{self, End, Finished};
use super::interrupt::Interrupt;
use super::metrics::Reading;
use super::plan::Plan;
use super::show::line;
use super::tail::Text;
use rpol::study::Suggestion;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// What became of a trial.
pub(super) enum Outcome {
    /// It was run to its end.
    Done(Reading),
    /// The user wants to end: it stays open.
    Interrupted,
}

/// Runs the command of a trial, again where it failed and may be tried again. `alive` hears again and again how long
/// the trial has taken so far.
pub(super) fn attempt(
    plan: &Plan,
    trial: &Suggestion,
    interrupt: &Interrupt,
    alive: &mut dyn FnMut(Duration),
) -> Outcome {
    let began = Instant::now();
    let mut tries_left = plan.run.retries;
    loop {
        let reading = match once(plan, trial, interrupt, &mut || alive(began.elapsed())) {
            Outcome::Interrupted => return Outcome::Interrupted,
            Outcome::Done(reading) => reading,
        };
        if reading.problem.is_none() || tries_left == 0 {
            return Outcome::Done(reading);
        }
        tries_left -= 1;
    }
}

fn once(
    plan: &Plan,
    trial: &Suggestion,
    interrupt: &Interrupt,
    alive: &mut dyn FnMut(),
) -> Outcome {
    let timeout = plan.run.timeout.map(|span| span.duration());
    let mut watch = |elapsed: Duration| {
        alive();
        if interrupt.is_raised() {
            return Some(End::Interrupted);
        }
        timeout.filter(|timeout| elapsed >= *timeout).map(|_| End::TimedOut)
    };
    let (command, input) = plan.command.of(trial);
    let finished = match child::capture(command, input, interrupt, &mut watch) {
        Ok(finished) => finished,
        Err(error) => return failed(format!("the command cannot be started: {error}")),
    };
    let Finished { end, stdout, stderr } = finished;
    match end {
        End::Interrupted => Outcome::Interrupted,
        End::Lost => failed("the system cannot say how it ended".into()),
        End::TimedOut => failed(too_long(timeout) + &last_line(&stderr)),
        End::Exited(status) if status.success() => Outcome::Done(plan.reader.read(&stdout)),
        End::Exited(status) => failed(ended(status) + &last_line(&stderr)),
    }
}

fn failed(problem: String) -> Outcome {
    Outcome::Done(Reading { problem: Some(problem), ..Reading::default() })
}

fn too_long(timeout: Option<Duration>) -> String {
    format!("it took longer than {:?}", timeout.unwrap_or_default())
}

/// How a process ended, in words.
pub(super) fn ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => format!("it ended with {status}"),
    }
}

/// The last line of stderr: where programs say what went wrong.
fn last_line(stderr: &Text) -> String {
    const SHOWN: usize = 200;
    let last = stderr.end.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|last| format!(": {}", line(last, SHOWN))).unwrap_or_default()
}
