//! `rpol lab demo`: a real search on a problem whose answer is known, with a picture of what it did.

mod account;
mod map;
mod play;
mod sparkline;
mod svg;

use std::path::PathBuf;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rpol_lab::problem::{Environment, NoiseReading};

use play::play;

/// Run a search on the paper's classical problem and draw what it did.
///
/// The problem: maximise f = -sin x1 - x2 where g = sin x1 sin x2 + 0.95 <= 0, for x1 and x2 from 0
/// to 6. Neither function is known to the search: each round it tries one point and reads f and g
/// there, both with noise of variance 0.05. Less than 2 % of the square is feasible, in two
/// separate parts, and the better one has to be found.
///
/// The search is the practical preset. Before a point is known that keeps the limit, it plays the
/// point of largest upper(f) - Q max(bound(g), 0) less the price of the violation to expect, where
/// bound is the lower edge of a Gaussian process's band where little is known and the upper one
/// where much is. From then on it plays the best point that keeps the promised risk, about the mean
/// here as the noise is deeper than the limit, and spends a part of the risk on the former rule.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How many points to try.
    #[arg(long, value_name = "N", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=5000))]
    rounds: u64,
    /// Decides the noise and the candidates: the same seed, the same run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write a picture to this file as well.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let environment =
        Environment::classical(NoiseReading::Variance).stretched(args.rounds as usize);
    let problem = environment.problem_at(1);
    let bar = progress(args.rounds);
    let rounds = play(&environment, args.seed, || bar.inc(1))?;
    bar.finish_and_clear();

    let mut out = anstream::stdout().lock();
    account::write(&mut out, problem, environment.noise[0], &rounds)?;
    map::write(&mut out, problem, &rounds)?;
    sparkline::write(&mut out, "violation V(t)", &play::cumulative_violation(&rounds))?;
    let penalties: Vec<f64> = rounds.iter().map(|round| round.penalty).collect();
    sparkline::write(&mut out, "penalty Q", &penalties)?;
    if let Some(path) = &args.svg {
        let picture = svg::picture(problem, &rounds);
        std::fs::write(path, picture)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// On stderr, and only where that is a terminal.
fn progress(rounds: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} round {pos} of {len}, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(rounds).with_style(style)
}
