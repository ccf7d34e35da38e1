//! The command line of rpol: one file a subcommand.
//!
//! A library, so that the binary `rpol` and the command that comes with the Python package are one.
#![forbid(unsafe_code)]
// Only `common/output.rs` prints: what std prints ends the program where it cannot be written.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(unix)]
mod check;
mod common;
mod completions;
mod exit;
mod fsck;
mod init;
#[cfg(feature = "lab")]
mod lab;
mod man;
mod pipe;
mod plot;
mod report;
#[cfg(unix)]
mod run;
mod schema;
mod verbs;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Result, bail};
use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use exit::BadInput;
pub use pipe::serve as serve_pipe;

/// Find a live system's best setting, and count every violation of its limits.
#[derive(Parser)]
#[command(name = "rpol", version)]
#[command(help_template = built(HELP), after_help = built(EXAMPLES))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What `rpol --help` says: on one screen, the commands one needs most first.
const HELP: &str = "\
{about}

{usage-heading} {usage}

  run                     Tune a real command, trial by trial
  init, check             Write a study's file; say what it means and risks
  create                  Begin a study, or resume the one of that name
  ask                     Ask for a setting to try
  tell                    Tell what a trial measured
  best, status            Print what to run now; where a study stands
  trials, studies         List the trials of a study; the studies of a store
  plot, report            Draw a study; write a page about it
  correct, fail, void     Replace what was told; end a trial; take one out
  export, import, delete  Move a study between stores; delete it
  pipe                    Ask and tell from any language, by JSON lines
  fsck                    Check what a store holds
  lab                     Experiments, benchmarks, the theory by simulation
  schema                  Print every field of a study's file, as a JSON Schema
  completions, man        For the shell; the manual, with examples

Options: -h, --help; -V, --version
`rpol help COMMAND` says more, with examples; the README has a tour.
Exit codes: 0 success, 1 failure, 2 wrong usage.
";

/// In the manual.
const EXAMPLES: &str = "\
Examples:
  rpol init                         a study's file to begin with, by five questions
  rpol check study.toml             what a study's file means, and whether it can be run
  rpol run study.toml               tune the command that the file names
  rpol create cache.toml            begin a study that a file defines
  rpol ask cache                    a setting to try
  rpol tell cache 0 cost=41.5 p99_ms=243+-4
  rpol status cache                 where it stands, and the account of every limit
  rpol best cache                   the answer so far
  rpol plot cache                   history and violations of a study, in the terminal
  rpol report cache                 all about it on one page, report.html
  rpol fsck                         whether the store holds what was written to it

Results go to stdout, progress to stderr. Exit codes: 0 success, 1 failure, 2 wrong usage.";

/// A text without the lines about commands that this build does not have.
fn built(text: &str) -> String {
    let is_built = |line: &&str| cfg!(feature = "lab") || !line.contains(" lab ");
    text.lines().filter(is_built).map(|line| format!("{line}\n")).collect()
}

#[derive(Subcommand)]
enum Command {
    #[cfg(unix)]
    Run(run::Args),
    #[cfg(unix)]
    Check(check::Args),
    Init(init::Args),
    Create(verbs::create::Args),
    Ask(verbs::ask::Args),
    Tell(verbs::tell::Args),
    Correct(verbs::correct::Args),
    Fail(verbs::fail::Args),
    Void(verbs::void::Args),
    Trials(verbs::trials::Args),
    Best(verbs::best::Args),
    Status(verbs::status::Args),
    Studies(verbs::studies::Args),
    Export(verbs::export::Args),
    Import(verbs::import::Args),
    Delete(verbs::delete::Args),
    Fsck(fsck::Args),
    /// Ask and tell from any language: one JSON object a line on stdin, one on stdout
    #[command(long_about = pipe::HELP)]
    Pipe,
    #[cfg(feature = "lab")]
    Lab(lab::Args),
    Plot(plot::Args),
    Report(report::Args),
    /// Print the JSON Schema of a study's definition
    Schema,
    Completions(completions::Args),
    Man(man::Args),
}

/// Does what the arguments say, the first being the name of the program; the exit code.
///
/// Signals must be as the system has them for a program of its own: a run listens for Ctrl-C itself, other commands are
/// ended by it.
pub fn main_from(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    common::signals::outlive_file_limits();
    #[cfg(feature = "lab")]
    let arguments = lab::expand(arguments.into_iter());
    let outcome = match Cli::try_parse_from(arguments) {
        Ok(Cli { command: Some(command) }) => guarded(command),
        // Alone it says what it can do: nothing is wrong with that.
        Ok(Cli { command: None }) => Cli::command().print_help().map_err(Into::into),
        Err(refused) => return exit::of_usage(&refused),
    };
    outcome.map_or_else(|error| exit::with(&error), |()| exit::SUCCESS)
}

/// A fault of rpol's own is a failure as others are, and no exit code besides.
fn guarded(command: Command) -> Result<()> {
    let outcome = catch_unwind(AssertUnwindSafe(|| run(command)));
    outcome.unwrap_or_else(|_| bail!("rpol broke down: this is a fault of rpol, please report it"))
}

fn run(command: Command) -> Result<()> {
    match command {
        #[cfg(unix)]
        Command::Run(args) => run::run(&args),
        #[cfg(unix)]
        Command::Check(args) => check::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Create(args) => verbs::create::run(&args),
        Command::Ask(args) => verbs::ask::run(&args),
        Command::Tell(args) => verbs::tell::run(&args),
        Command::Correct(args) => verbs::correct::run(&args),
        Command::Fail(args) => verbs::fail::run(&args),
        Command::Void(args) => verbs::void::run(&args),
        Command::Trials(args) => verbs::trials::run(&args),
        Command::Best(args) => verbs::best::run(&args),
        Command::Status(args) => verbs::status::run(&args),
        Command::Studies(args) => verbs::studies::run(&args),
        Command::Export(args) => verbs::export::run(&args),
        Command::Import(args) => verbs::import::run(&args),
        Command::Delete(args) => verbs::delete::run(&args),
        Command::Fsck(args) => fsck::run(&args),
        Command::Pipe => pipe::run(),
        #[cfg(feature = "lab")]
        Command::Lab(args) => lab::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Schema => schema::run(),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_command() {
        let help = built(HELP);
        let listed: Vec<&str> =
            help.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next()).collect();
        let mut listed: Vec<&str> = listed.iter().flat_map(|names| names.split(", ")).collect();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(|each| each.get_name()).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }
}
