//! Plays the paper's experiments on a grid and writes the worlds and the curves for the script that plays them once more.

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rpol_lab::curves::{Constants, Curve, Draws, draws, play};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Plays the paper's experiments on a grid.
#[derive(Parser)]
struct Args {
    /// A size of the constants.
    #[arg(long, default_value = "paper")]
    size: String,
    /// Where to write the worlds and the points of random search.
    #[arg(long)]
    world: PathBuf,
    /// Where to write the curves.
    #[arg(long)]
    curves: Option<PathBuf>,
}

/// All that the script is given beside the constants.
#[derive(Serialize)]
struct World {
    size: String,
    draws: BTreeMap<String, Draws>,
    /// Points of random search.
    random: Vec<u64>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let constants = Constants::read();
    let size = constants.sizes.get(&args.size).context("no such size in the constants")?;
    let drawn = |name: &String| (name.clone(), draws(&constants, size, name));
    let world = World {
        draws: constants.experiments.keys().map(drawn).collect(),
        random: play(&constants, size, "classical", "printed", "random")?.x,
        size: args.size,
    };
    std::fs::write(args.world, serde_json::to_string(&world)? + "\n")?;
    let Some(path) = args.curves else { return Ok(()) };
    let mut runs = Vec::new();
    for setting in constants.settings.keys() {
        for (experiment, algorithms) in &constants.experiments {
            runs.extend(algorithms.iter().map(|algorithm| (experiment, setting, algorithm)));
        }
    }
    let style = ProgressStyle::with_template("{bar:32} {pos} of {len} runs, {eta} left")?;
    let bar = ProgressBar::new(runs.len() as u64).with_style(style);
    let curve = |(experiment, setting, algorithm): (&String, &String, &String)| {
        let curve = play(&constants, size, experiment, setting, algorithm);
        bar.inc(1);
        curve
    };
    let curves = runs.into_iter().map(curve).collect::<rpol::Result<Vec<Curve>>>()?;
    bar.finish_and_clear();
    println!("{} runs of {} rounds", curves.len(), size.horizon);
    std::fs::write(path, serde_json::to_string(&curves)? + "\n")?;
    Ok(())
}
