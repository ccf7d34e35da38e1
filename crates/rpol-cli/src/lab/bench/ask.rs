//! `rpol lab bench ask`: where the time of an ask goes, beside the least it must take.

mod sheet;

use crate::common::output;
use crate::lab::batch::{bar, count, whole};
use anyhow::Result;
use rpol_lab::bench::ask::{Request, measure};
use rpol_lab::bench::{Measured, Start};

/// Measure where the time of an ask goes, beside the least it must take.
///
/// A default study, everything learned, is given a history of random settings and then plays rounds:
/// the paper's classical problem in two dimensions with one constraint, waves of cosines elsewhere.
/// Medians on one thread, over the rounds that search and fit no hyper-parameters; the first ask, which fits, is
/// reported apart. The floor of a part is the time that its flops and bytes take at the speed of this
/// machine, measured in the same run: a sum over an array as large as the pool, and a triangular solve
/// with many right-hand sides.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Coordinates of the problem.
    #[arg(long, value_name = "D", default_value = "2", value_parser = dims)]
    #[arg(allow_negative_numbers = true)]
    dims: u64,
    /// Its constraints.
    #[arg(long, value_name = "M", default_value = "1", value_parser = constraints)]
    #[arg(allow_negative_numbers = true)]
    constraints: u64,
    /// Sizes of the history, divided by commas.
    #[arg(long, value_name = "LIST", default_value = "100,500,1000,2000", value_delimiter = ',')]
    #[arg(value_parser = observations, allow_negative_numbers = true)]
    observations: Vec<u64>,
    /// Rounds to take medians of, for each size.
    #[arg(long, value_name = "N", default_value = "21", value_parser = count)]
    #[arg(allow_negative_numbers = true)]
    rounds: u64,
    /// Decides history, noise and candidates.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// More coordinates than this are beyond what the model is tested for.
const MOST_DIMS: u64 = 30;
const MOST_CONSTRAINTS: u64 = 10;
/// A history of more takes minutes to fit.
const MOST_OBSERVATIONS: u64 = 5000;

fn dims(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST_DIMS)
}

fn constraints(text: &str) -> Result<u64, String> {
    whole(text, 0, MOST_CONSTRAINTS)
}

fn observations(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST_OBSERVATIONS)
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let rounds = (args.observations.len() as u64) * (1 + args.rounds);
    let bar = bar(rounds, "{bar:32} round {pos} of {len}, {msg}, {elapsed}");
    // The first round of a size fits, and takes longest.
    bar.enable_steady_tick(std::time::Duration::from_millis(250));
    let mut all = Vec::new();
    for observations in &args.observations {
        bar.set_message(format!("n = {observations}"));
        let start = Start {
            dims: args.dims as usize,
            constraints: args.constraints as usize,
            observations: *observations as usize,
            seed: args.seed,
        };
        let request = Request { start, rounds: args.rounds as usize };
        all.push(measure(&request, || bar.inc(1))?);
    }
    bar.finish_and_clear();
    if args.json {
        return output::json(&all);
    }
    output::text(&all.iter().map(sheet::text).collect::<Vec<_>>().join("\n"))
}
