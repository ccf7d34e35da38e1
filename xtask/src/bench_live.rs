//! `cargo xtask bench live`: rpol beside other optimizers on the live course, one run at a time on one thread.
//!
//! Rows are kept in target/bench-live, and the table is of all that is kept: an interrupted run goes on where it was.

use std::process::Command;

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::bench_peers::THREADS;
use crate::run::{cargo, command, step, target};
use crate::venv::PEERS;

/// The optimizers, as `bench/peers/live.py` has them.
const NAMES: [&str; 3] = ["optuna-gp", "optuna-tpe", "botorch"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let these play beside rpol.
    #[arg(long, value_delimiter = ',', default_values = NAMES, value_parser = PossibleValuesParser::new(NAMES))]
    only: Vec<String>,
    /// Names of systems divided by commas; all when left out.
    #[arg(long)]
    systems: Option<String>,
    /// Runs of each on a system.
    #[arg(long, default_value_t = 5)]
    seeds: u32,
    /// Play nothing: only show what is kept.
    #[arg(long)]
    kept: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let folder = target().join("bench-live");
    let (ours, theirs) = (folder.join("rpol"), folder.join("peers.csv"));
    let python = PEERS.python()?;
    if !args.kept {
        std::fs::create_dir_all(&folder)?;
        step("build", &mut cargo("build --release --package rpol-lab --bin live"))?;
        let live = target().join("release").join(format!("live{}", std::env::consts::EXE_SUFFIX));
        step("rpol", rpol(args).arg("--out").arg(&ours))?;
        let mut peers = command(&python);
        peers.envs(THREADS.map(|variable| (variable, "1")));
        peers.args(["-B", "bench/peers/live.py"]).arg(&live).arg(&theirs);
        peers.arg("--peers").arg(args.only.join(","));
        if let Some(systems) = &args.systems {
            peers.arg("--systems").arg(systems);
        }
        step("peers", peers.args(["--seeds", &format!("0..{}", args.seeds)]))?;
    }
    let mut table = command(&python);
    table.args(["-B", "bench/peers/live_table.py"]).arg(ours.join("runs.csv")).arg(theirs);
    step("beside each other", &mut table)
}

/// The arena, one run at a time.
fn rpol(args: &Args) -> Command {
    let mut arena =
        cargo("run --release --package rpol-cli -- lab arena --algorithms rpol --jobs 1");
    arena.args(["--problems", args.systems.as_deref().unwrap_or("live")]);
    arena.args(["--seeds", &args.seeds.to_string()]);
    arena
}
