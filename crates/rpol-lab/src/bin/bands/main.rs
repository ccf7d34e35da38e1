//! What happens to RPOL, CONFIG and EPBO when the band is too tight: the classical problem with a model as
//! sure of itself as the noise allows, under constant widths.

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rpol::confidence::{PerOutput, Width};
use rpol::study::{Confidence, Model, Preset, Spec};
use rpol_lab::experiment::{Simulation, Totals, spec};
use rpol_lab::paper::Spread;
use rpol_lab::problem::{Environment, NoiseReading};

/// RPOL, CONFIG and EPBO under bands of several widths.
#[derive(Parser)]
struct Args {
    /// Seeds of each width and algorithm.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Rounds of each run.
    #[arg(long, default_value_t = 300)]
    rounds: usize,
}

const ALGORITHMS: [&str; 3] = ["rpol-ucb", "config", "epbo"];
const WIDTHS: [f64; 4] = [0.5, 1.0, 2.0, 3.0];
/// Mean regret over the last third beyond which a run is in the wrong place: the worse of the two feasible
/// islands costs 3.1.
const LOCKED: f64 = 1.0;

fn main() -> Result<()> {
    let args = Args::parse();
    let runs = ALGORITHMS.len() as u64 * WIDTHS.len() as u64 * args.seeds;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left")?;
    let bar = ProgressBar::new(runs).with_style(style);
    println!(
        "classical problem, noise variance 0.05, lambda = 0.05 of the signal's variance, outputs centred and scaled, \
         {} rounds, {} seeds",
        args.rounds, args.seeds
    );
    println!("{:<6} {:<10} {:>16} {:>16} {:>8}", "width", "algorithm", "R+/T", "V/T", "locked");
    for width in WIDTHS {
        for algorithm in ALGORITHMS {
            let seeds: Vec<u64> = (0..args.seeds).collect();
            let halves: Vec<&[u64]> = seeds.chunks(seeds.len().div_ceil(2)).collect();
            let ends = std::thread::scope(|scope| {
                let bar = &bar;
                let work = |seeds| {
                    scope.spawn(move || -> Result<Vec<End>> {
                        let one = |seed: &u64| play(algorithm, width, args.rounds, *seed, bar);
                        <[u64]>::iter(seeds).map(one).collect()
                    })
                };
                let threads: Vec<_> = halves.into_iter().map(work).collect();
                let joined =
                    threads.into_iter().map(|t| t.join().ok().context("a thread panicked")?);
                joined.collect::<Result<Vec<_>>>()
            })?;
            let ends: Vec<End> = ends.into_iter().flatten().collect();
            let regret = interval(ends.iter().map(|end| end.regret));
            let violation = interval(ends.iter().map(|end| end.violation));
            let locked = ends.iter().filter(|end| end.late > LOCKED).count();
            println!("{width:<6} {algorithm:<10} {regret:>16} {violation:>16} {locked:>8}");
        }
    }
    bar.finish_and_clear();
    Ok(())
}

struct End {
    regret: f64,
    violation: f64,
    /// Regret a round over the last third.
    late: f64,
}

fn play(algorithm: &str, width: f64, rounds: usize, seed: u64, bar: &ProgressBar) -> Result<End> {
    let environment = Environment::classical(NoiseReading::Variance).stretched(rounds);
    let width = Width::Constant { beta: PerOutput::All(width) };
    let spec = Spec {
        preset: Preset::Printed,
        algorithm: Some(algorithm.into()),
        initial: Some(4),
        model: Model {
            lengthscale: Some(0.25),
            noise: Some(0.05),
            standardize: Some(true),
            ..Model::default()
        },
        confidence: Confidence { width: Some(width), ..Confidence::default() },
        ..spec(environment.problem_at(1), rounds, seed)?
    };
    let mut simulation = Simulation::new(environment, spec, seed)?;
    let totals = simulation.run()?;
    let late = Totals::of(&simulation.rounds()[rounds - rounds / 3..]);
    bar.inc(1);
    Ok(End {
        regret: totals.positive_regret / rounds as f64,
        violation: totals.violation[0] / rounds as f64,
        late: late.positive_regret / late.rounds as f64,
    })
}

fn interval(values: impl Iterator<Item = f64>) -> String {
    let mut spread = Spread::default();
    values.for_each(|value| spread.add(value));
    let estimate = spread.estimate();
    let half = estimate.half_width.map_or("-".into(), |half| format!("{half:.3}"));
    format!("{:.3} ± {half}", estimate.mean)
}
