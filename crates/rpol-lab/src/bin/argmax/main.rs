//! How close every decision comes to the global maximum of its score.
//!
//! The study's decision is compared with a search that may take its time: in the plane a fine grid, its best
//! separated points climbed and then zoomed into without derivatives; in more dimensions a hundred times the effort.

mod cases;
mod reference;
mod tally;

use anyhow::Result;
use cases::Case;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rpol_lab::experiment::Simulation;
use rpol_lab::pool::work_all;
use std::sync::atomic::AtomicBool;
use tally::{Check, Tally};

/// How close every decision comes to the global maximum of its score.
#[derive(Parser)]
struct Args {
    /// Check every so many rounds; 1 checks all.
    #[arg(long, default_value_t = 10)]
    every: usize,
    /// Seeds of each experiment.
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Rounds of the paper's experiments.
    #[arg(long, default_value_t = 500)]
    horizon: usize,
    /// Points along a side of the grid.
    #[arg(long, default_value_t = 300)]
    grid: usize,
    /// Only the cases whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Print every round that falls short.
    #[arg(long)]
    misses: bool,
    /// Runs at a time; ask times are true with 1.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

fn main() -> Result<()> {
    let args = Args::parse();
    println!(
        "checked: rounds {0}, {1}, ... (every {0}); {2} seeds; grid {3} x {3}; short = (best - reached) / (1 + |best|)",
        args.every,
        2 * args.every,
        args.seeds,
        args.grid
    );
    println!("{}", Tally::HEADER);
    let mut met = true;
    for name in cases::names().into_iter().filter(|name| name.contains(&args.only)) {
        let tally = measure(name, &args)?;
        println!("{}", tally.line(name));
        if args.misses {
            tally.misses().for_each(|check| println!("    {check}"));
        }
        met &= tally.meets_target();
    }
    std::process::exit(i32::from(!met));
}

/// Every seed of one case.
fn measure(name: &str, args: &Args) -> Result<Tally> {
    let cases = (0..args.seeds)
        .map(|seed| cases::case(name, args.horizon, seed))
        .collect::<Result<Vec<_>>>()?;
    let rounds: usize = cases.iter().map(|case| case.environment.horizon).sum();
    let style = ProgressStyle::with_template("{msg:<28} {bar:40} {pos}/{len} rounds, {eta} left")?;
    let bar = ProgressBar::new(rounds as u64).with_style(style).with_message(name.to_string());
    let calm = AtomicBool::new(false);
    let work = |case: &Case| play(case, args, &bar).map(Some);
    let tallies = work_all(&cases, args.threads.max(1), &calm, |_| 1, work)?;
    bar.finish_and_clear();
    let mut all = Tally::default();
    tallies.into_iter().flatten().for_each(|tally| all.add(tally));
    Ok(all)
}

fn play(case: &Case, args: &Args, bar: &ProgressBar) -> Result<Tally> {
    let mut simulation = Simulation::new(case.environment.clone(), case.spec.clone(), case.seed)?;
    let mut tally = Tally::default();
    while let Some(round) = simulation.step()?.map(|round| round.round) {
        bar.inc(1);
        if round % args.every == 0 {
            tally.checks.extend(Check::of(case.seed, round, simulation.study(), args.grid)?);
        }
    }
    tally.ask_ms = simulation.ask_ms().iter().copied().enumerate().collect();
    Ok(tally)
}
