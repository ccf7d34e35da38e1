//! Players on systems.

use crate::{rows, trace};
use anyhow::{Context, Result, bail};
use rpol_lab::arena::contestants;
use rpol_lab::live::report::{Report, table};
use rpol_lab::live::{Ending, Player, Tournament, list};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Who plays what, how often.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Names as in `rpol lab arena`, divided by commas: rpol@risk=0.05,random.
    #[arg(long, default_value = "rpol,random")]
    players: String,
    /// Names divided by commas, or tuned, reported, all.
    #[arg(long, default_value = "all")]
    systems: String,
    /// Seeds as `from..to`, or how many.
    #[arg(long, default_value = "0..10", value_parser = seeds)]
    seeds: Range<u64>,
    /// Rounds of a run.
    #[arg(long, default_value_t = 60)]
    horizon: usize,
    /// How many runs at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A row for every run goes into this file.
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Print every round of every run, and no table.
    #[arg(long)]
    trace: bool,
}

pub(super) fn seeds(text: &str) -> Result<Range<u64>> {
    let range = match text.split_once("..") {
        Some((from, to)) => from.parse()?..to.parse()?,
        None => 0..text.parse()?,
    };
    if range.is_empty() {
        bail!("{text} has no seed: give from..to, to above from");
    }
    Ok(range)
}

/// Plays, and prints a row for each player on each system.
pub(super) fn run(args: &Args) -> Result<()> {
    let tournament = Tournament {
        systems: list(&args.systems)?,
        players: contestants(&args.players)?.into_iter().map(Player::from).collect(),
        seeds: args.seeds.clone(),
        rounds: args.horizon,
    };
    tournament.check()?;
    if args.trace {
        return trace::all(&tournament);
    }
    let calm = AtomicBool::new(false);
    let Ending::Played(standings) = tournament.play(args.jobs, &calm, &|_| ())? else {
        bail!("it was stopped");
    };
    let report = Report { tournament: &tournament, standings: &standings, command: String::new() };
    print!("{}", table(&report));
    if let Some(path) = &args.csv {
        let text = rows::runs(&standings, args.seeds.start);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
