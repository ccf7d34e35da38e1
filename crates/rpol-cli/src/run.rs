//! `rpol run`: tunes a real command, trial by trial.

mod coordination;
mod metrics;
mod output;
mod process;

use crate::common::answer::Answer;
use crate::common::storage::{Storage, is_there, shown};
use crate::common::text::{line, plain, wrapped};
use crate::common::{output as printed, risk, study_file, terminal};
use crate::{plot, report};
use anyhow::{Context, Result, anyhow, bail};
use coordination::dry_run;
use coordination::workers::{RunOutcome, run_workers};
use output::findings::Findings;
use output::stop_reason::StopReason;
use output::{counts, screen, summary};
use process::child::{self, End};
use process::command::FixedCommand;
use process::interrupt::{INTERRUPTED, Interrupt};
use rpol::store::{self, Shared, Store};
use rpol::study::{Trial, TrialState};
use rpol::{Error, Spec, Study};
use std::cmp::Ordering;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use coordination::config::{Config, Overrides};

/// Tune a real command: run it with one setting after another, and learn.
///
/// FILE defines the study, in TOML or JSON: parameters, objective, limits, and under [run] the command.
/// `rpol check FILE` explains it, `rpol schema` lists every field.
///
/// The command gets its parameters as {name} in its arguments, as RPOL_PARAM_NAME in its environment, and as
/// {"number": 0, "params": {...}} on stdin. No shell comes between. It prints its metrics as a JSON object: the
/// last one on stdout counts, between other text or over several lines, by its own keys and not those of
/// objects within it; a value is a number or [mean, standard error]. Or [run.metrics] gives a regular expression
/// a metric. Of more than 1 MiB of output the end is read. A command that fails, is killed, takes too long or prints
/// no such numbers is a failed trial; what it started ends with it.
///
/// Every result is stored at once. The same command again continues where it was, after Ctrl-C, a crash or a kill, and
/// several may run at the same time. Only kill -9 of rpol itself leaves a command running that it had started.
///
/// Exits with 0 when the run came to its end, 1 when it failed, 2 for wrong input, 130 after Ctrl-C.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = "\
Examples:
  rpol run study.toml                 tune the command that the file names
  rpol run study.toml --dry-run       only show what would be run
  rpol run study.toml --workers 4 --time 1h")]
pub(crate) struct Args {
    /// The study's file
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    storage: Storage,
    /// Show the commands of the next settings; run nothing, store nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut config = Config::read(&args.file, &args.overrides)?;
    config.storage = args.storage.url(Some(config.storage.as_str())).into();
    let written = Some(config.storage.as_str());
    if args.dry_run {
        let stored = is_there(args.storage.url(written)).then(|| args.storage.existing(written));
        return dry_run::show(&config, stored.transpose()?);
    }
    let storage = args.storage.url(written).to_string();
    let shared = open(args.storage.open(written)?, &config.spec, args.answer)?;
    if !args.answer.is_quiet() {
        anstream::eprintln!("study {} in {}", plain(&config.spec.name), shown(&storage));
        let width = terminal::of_stderr().unwrap_or(usize::MAX);
        let words = format!("risk: {}", risk::words(&config.spec));
        anstream::eprintln!("{}", wrapped(&words, width));
    }
    let outcome = match done_already(&config, shared.study()) {
        Some(stopped) => RunOutcome { stopped, shared },
        None => between_setup_and_teardown(&config, shared, args.answer.is_quiet())?,
    };
    finish(&config, &outcome, &storage, args.answer)
}

/// Begins the study, or goes on with it. A definition under which nothing was measured gives way to another.
fn open(store: Arc<dyn Store>, spec: &Spec, answer: Answer) -> Result<Shared> {
    if let Err(Error::StudyExists { .. }) = Shared::open(store.clone(), spec.clone()) {
        let known = Shared::load(store.clone(), &spec.name)?;
        if is_untouched(known.study()) {
            store.delete(&spec.name)?;
            answer.note("nothing was measured under the definition before: it begins again");
        }
    }
    study_file::open_or_revise(store, spec, answer)
}

/// Whether no trial has given anything, nor may one still.
fn is_untouched(study: &Study) -> bool {
    let silent = |t: &Trial| t.metrics.is_empty() && store::standing(t) == TrialState::Stale;
    study.trials().iter().all(silent)
}

/// Whether there is nothing left to run; what is open may have to be taken up.
fn done_already(config: &Config, study: &Study) -> Option<StopReason> {
    let rounds = config.rounds();
    let asked = counts::asked(study);
    let open = counts::ended(study) < asked;
    match asked.cmp(&rounds) {
        _ if open => None,
        Ordering::Less => None,
        Ordering::Equal => Some(StopReason::Rounds(rounds)),
        Ordering::Greater => Some(StopReason::Enough { rounds, asked }),
    }
}

fn between_setup_and_teardown(
    config: &Config,
    shared: Shared,
    is_quiet: bool,
) -> Result<RunOutcome> {
    let interrupt = Interrupt::listen()?;
    let outcome = run_hook("setup", config.setup.as_ref(), &interrupt, &|| interrupt.is_raised())
        .and_then(|()| {
            let screen = screen::screen(config.rounds(), shared.study(), is_quiet);
            let outcome = run_workers(config, shared, &interrupt, &*screen);
            screen.close();
            outcome
        });
    // Also after Ctrl-C, which does not concern it; the second one ends everything.
    let torn_down = run_hook("teardown", config.teardown.as_ref(), &interrupt, &|| false);
    let outcome = outcome?;
    torn_down.map(|()| outcome)
}

/// Runs what is no trial, and shows what it prints.
fn run_hook(
    what: &str,
    command: Option<&FixedCommand>,
    interrupt: &Interrupt,
    stop: &dyn Fn() -> bool,
) -> Result<()> {
    let Some(command) = command else { return Ok(()) };
    let mut watch = |_| stop().then_some(End::Interrupted);
    let end = child::show(command.command(), interrupt, &mut watch);
    match end.with_context(|| format!("{what} cannot be started"))? {
        End::Exited(status) if status.success() => Ok(()),
        End::Exited(status) => bail!("{what} failed: {}", child::describe(status)),
        End::Interrupted | End::TimedOut | End::Lost => bail!("{what} was interrupted"),
    }
}

/// The end of a run: the document on stdout, words on stderr, and how it went as the exit code.
fn finish(config: &Config, outcome: &RunOutcome, storage: &str, answer: Answer) -> Result<()> {
    let study = outcome.shared.study();
    let findings = Findings::of(study, &outcome.stopped, storage);
    if answer.is_json() {
        printed::text(&(serde_json::to_string_pretty(&findings)? + "\n"))?;
    }
    if let Some(path) = &config.run.report {
        report::write(Path::new(path), &outcome.shared, answer.is_quiet())?;
    }
    // The words come last, where people look.
    if std::io::stderr().is_terminal() && !answer.is_quiet() {
        plot::overview(&mut anstream::stderr().lock(), &outcome.shared)?;
    }
    let words = summary::words(&findings, &config.spec);
    let columns = |width: Option<usize>| width.unwrap_or(usize::MAX);
    let lines = |width| words.lines().map(|l| wrapped(l, width) + "\n").collect::<String>();
    if !answer.is_json() {
        printed::text(&lines(columns(terminal::of_stdout())))?;
    } else if !answer.is_quiet() {
        anstream::eprint!("{}", lines(columns(terminal::of_stderr())));
    }
    match &outcome.stopped {
        StopReason::Interrupted => std::process::exit(INTERRUPTED),
        stopped if stopped.is_failure() => Err(anyhow!("{stopped}")),
        _ => match last_failure(study) {
            Some(reason) => bail!("every trial failed, the last one as {}", line(&reason, 400)),
            None => Ok(()),
        },
    }
}

/// Why the last trial failed, where none came to a good end: then a run has not done what it was for.
fn last_failure(study: &Study) -> Option<String> {
    let asked: Vec<&Trial> = study.trials().iter().filter(|t| t.decision.is_some()).collect();
    if asked.iter().any(|trial| trial.state == TrialState::Complete) {
        return None;
    }
    let failed = asked.iter().rev().find(|trial| trial.state == TrialState::Fail)?;
    Some(failed.reason.clone().unwrap_or_default())
}
