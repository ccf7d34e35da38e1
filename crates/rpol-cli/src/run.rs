//! `rpol run`: tunes a real command, trial by trial.

mod coordination;
mod metrics;
mod output;
mod process;

use crate::common::storage::Storage;
use crate::common::text;
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
use rpol::Study;
use rpol::store::Shared;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

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
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let config = Config::read(&args.file, &args.overrides)?;
    let written = config.run.storage.as_deref();
    if args.dry_run {
        let stored = is_there(args.storage.url(written)).then(|| args.storage.existing(written));
        return dry_run::show(&config, stored.transpose()?);
    }
    let storage = args.storage.url(written).to_string();
    let shared = Shared::open(args.storage.open(written)?, config.spec.clone())?;
    anstream::eprintln!("study {} in {storage}", text::plain(&config.spec.name));
    anstream::eprintln!("risk: {}", crate::common::risk::words(&config.spec));
    let outcome = match done_already(&config, shared.study()) {
        Some(stopped) => RunOutcome { stopped, shared },
        None => between_setup_and_teardown(&config, shared)?,
    };
    finish(&config, &outcome, &storage)
}

/// Whether there is a store to look into: a dry run makes none.
fn is_there(url: &str) -> bool {
    url.strip_prefix("sqlite:///").is_none_or(|path| Path::new(path).exists())
}

/// Whether there is nothing left to run; what is open may have to be taken up.
fn done_already(config: &Config, study: &Study) -> Option<StopReason> {
    let rounds = config.rounds();
    let open = counts::ended(study) < counts::asked(study);
    (!open && counts::asked(study) >= rounds).then_some(StopReason::Rounds(rounds))
}

fn between_setup_and_teardown(config: &Config, shared: Shared) -> Result<RunOutcome> {
    let interrupt = Interrupt::listen()?;
    let outcome = run_hook("setup", config.setup.as_ref(), &interrupt, &|| interrupt.is_raised())
        .and_then(|()| {
            let screen = screen::screen(config.rounds(), shared.study());
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
fn finish(config: &Config, outcome: &RunOutcome, storage: &str) -> Result<()> {
    let findings = Findings::of(outcome.shared.study(), &outcome.stopped, storage);
    let document = serde_json::to_string_pretty(&findings)?;
    writeln!(anstream::stdout().lock(), "{document}")?;
    if let Some(path) = &config.run.report {
        report::write(Path::new(path), &outcome.shared)?;
    }
    // The words come last, where people look.
    if std::io::stderr().is_terminal() {
        plot::overview(&mut anstream::stderr().lock(), &outcome.shared)?;
    }
    anstream::eprintln!("{}", summary::words(&findings, &config.spec));
    match &outcome.stopped {
        StopReason::Interrupted => std::process::exit(INTERRUPTED),
        stopped if stopped.is_failure() => Err(anyhow!("{stopped}")),
        _ => Ok(()),
    }
}
