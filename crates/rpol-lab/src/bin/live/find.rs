//! The best setting of systems.

use anyhow::Result;
use rpol_lab::live::{list, search};
use rpol_lab::pool::work_all;
use std::sync::atomic::AtomicBool;

/// What is searched.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Names divided by commas, or tuned, reported, all.
    #[arg(long, default_value = "all")]
    systems: String,
    /// Seed of the search.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many times the usual number of moves.
    #[arg(long, default_value_t = 1)]
    effort: u64,
    /// How many at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// Prints a line for every phase, as the system's file has it.
pub(super) fn run(args: &Args) -> Result<()> {
    let systems = list(&args.systems)?;
    let phases = |i: usize| (0..systems[i].phases()).map(move |phase| (i, phase));
    let jobs: Vec<(usize, usize)> = (0..systems.len()).flat_map(phases).collect();
    let calm = AtomicBool::new(false);
    let find = |(i, phase): &(usize, usize)| -> Result<Option<()>> {
        let best = search(&systems[*i], *phase, args.seed, args.effort);
        let truth = systems[*i].truth(&best.params, *phase);
        let params = serde_json::to_string(&best.params)?;
        println!(
            "{} {phase} (r#\"{params}\"#, {:.6}), over {:.3} {:?}",
            systems[*i].name, best.objective, truth.over, truth.means
        );
        Ok(Some(()))
    };
    work_all(&jobs, args.jobs, &calm, |_| 1, find).map(drop)
}
