//! `rpol lab`: experiments, benchmarks and the theory by simulation.

mod arena;
mod batch;
mod bench;
mod paper;
mod verify;

use anyhow::Result;
use std::ffi::OsString;

/// Experiments, benchmarks, and the theory by simulation
///
/// Problems whose answer is known, and algorithms that are played on them: nothing here is needed to tune a system.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  rpol lab arena --seeds 3            algorithms against problems: regret, violation, figures
  rpol lab paper classical --seeds 5  the paper's experiments, with figures and a report
  rpol lab verify --quick             the theory by simulation, in seconds
  rpol lab bench ask                  where the time of an ask goes, and how little it could be"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Arena(arena::Args),
    Paper(paper::Args),
    Verify(verify::Args),
    Bench(bench::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Arena(args) => arena::run(args),
        Command::Paper(args) => paper::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Bench(args) => bench::run(args),
    }
}

/// The commands that were once spelled without `lab`: they still may be.
const SHORT: [&str; 4] = ["arena", "paper", "verify", "bench"];

/// The arguments with `lab` put in where it was left out: `rpol arena` is `rpol lab arena`.
pub(crate) fn expand(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let place = if arguments.get(1).is_some_and(|first| first == "help") { 2 } else { 1 };
    let is_short = |argument: &OsString| SHORT.iter().any(|name| argument == name);
    if arguments.get(place).is_some_and(is_short) {
        arguments.insert(place, "lab".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lab_may_be_left_out() {
        for (given, meant) in [
            ("rpol arena --seeds 3", "rpol lab arena --seeds 3"),
            ("rpol help bench ask", "rpol help lab bench ask"),
            ("rpol lab arena", "rpol lab arena"),
            ("rpol status arena", "rpol status arena"),
            ("rpol", "rpol"),
        ] {
            let expanded = expand(given.split(' ').map(OsString::from));
            assert_eq!(expanded.join(" ".as_ref()), meant);
        }
    }
}
