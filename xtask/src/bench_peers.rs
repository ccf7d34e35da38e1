//! `cargo xtask bench peers`: rpol beside other optimizers, each in a process of its own on one thread.
//!
//! Numbers are kept in target/bench-peers, a file an optimizer, and the tables are of all that is kept: `--only rpol` renews ours.

use std::path::Path;

use anyhow::{Result, ensure};
use clap::builder::PossibleValuesParser;

use crate::package;
use crate::run::{cargo, command, root, step, target};
use crate::venv::PEERS;

/// The optimizers, by the name of their script `bench/peers/peer_<name>.py`.
const NAMES: [&str; 5] = ["rpol", "optuna", "egobox", "bayes_opt", "botorch"];
const PROBLEMS: [&str; 2] = ["classical", "hartmann6"];
/// Each of these holds a library to one thread.
pub(crate) const THREADS: [&str; 4] =
    ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure these; of the others the kept numbers are shown.
    #[arg(long, value_delimiter = ',', default_values = NAMES, value_parser = PossibleValuesParser::new(NAMES))]
    only: Vec<String>,
    /// On these problems; whole runs are of the classical one.
    #[arg(long, value_delimiter = ',', default_values = PROBLEMS, value_parser = PossibleValuesParser::new(PROBLEMS))]
    problem: Vec<String>,
    /// Time asks after so many observations.
    #[arg(long, value_delimiter = ',', default_values = ["50", "100", "200", "500", "1000"])]
    observations: Vec<u32>,
    /// Whole runs of 200 rounds; 0 for none.
    #[arg(long, default_value_t = 3)]
    seeds: u32,
    /// Only whole runs: no timing of asks.
    #[arg(long)]
    no_asks: bool,
    /// Measure only what is not kept yet: what an interrupted run has left.
    #[arg(long)]
    missing: bool,
    /// Measure nothing: only show what is kept.
    #[arg(long)]
    kept: bool,
    /// Renew the section in docs/benchmarks.md and its figure.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let results = target().join("bench-peers");
    if !args.kept {
        ensure!(
            args.observations.iter().all(|n| *n >= 50),
            "--observations {:?}: give 50 or more, fewer may have nothing within the limits",
            args.observations
        );
        let python = PEERS.python()?;
        package::install(&python, "release")?;
        for name in NAMES.iter().filter(|name| args.only.iter().any(|only| only == *name)) {
            measure(&python, name, args, &results)?;
        }
    }
    let mut show = cargo("run --quiet --package rpol-lab --bin peers --");
    show.arg(results);
    if args.write {
        let docs = root().join("docs");
        show.arg("--write").arg(docs.join("benchmarks.md")).arg(docs.join("figures/peers.svg"));
    }
    step("beside each other", &mut show)
}

fn measure(python: &Path, name: &str, args: &Args, results: &Path) -> Result<()> {
    let observations: Vec<String> = args.observations.iter().map(u32::to_string).collect();
    let observations = if args.no_asks { String::new() } else { observations.join(",") };
    let mut measure = command(python);
    measure.envs(THREADS.map(|variable| (variable, "1")));
    measure.args(["-B", "bench/peers/measure.py", name]).arg(results);
    measure.arg("--problems").arg(args.problem.join(","));
    measure.arg(format!("--observations={observations}"));
    measure.arg("--seeds").arg(args.seeds.to_string());
    if args.missing {
        measure.arg("--missing");
    }
    step(name, &mut measure)
}
