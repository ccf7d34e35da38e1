//! `rpol lab bench endless`: what becomes of a study that is never stopped.

use crate::common::output::{self, say};
use crate::common::table::{Cell, Table, number};
use crate::lab::batch::{bar, count, whole};
use anyhow::Result;
use rpol_lab::bench::endless::{Request, play};
use rpol_lab::bench::{Outcome, Row};
use serde_json::json;

/// Play the classical problem for as long as you like, and watch time and memory.
///
/// A default study in one process on one thread. At rounds 100, 200, 500, 1000, ...: the mean time
/// of a round over the last tenth of the rounds so far, regret and violation a round (of the true
/// functions), the share of the last tenth that violates, distinct points in the model, and the
/// memory of the process.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How many rounds.
    #[arg(long, value_name = "T", default_value = "100000", value_parser = rounds)]
    #[arg(allow_negative_numbers = true)]
    rounds: u64,
    /// Decides noise and candidates.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// How many seeds from there on, one after the other; means are printed.
    #[arg(long, value_name = "K", default_value = "1", value_parser = count)]
    #[arg(allow_negative_numbers = true)]
    seeds: u64,
    /// Forget everything older than W rounds: the algorithm rpol-sw-ucb in place of the default.
    #[arg(long, value_name = "W", value_parser = window, allow_negative_numbers = true)]
    window: Option<u64>,
    /// How much of the best score's optimism a setting tried before may lack and still be played, from 0 (no repeats) to
    /// 1; left out: as every study.
    #[arg(long, alias = "thrift", value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    reuse: Option<f64>,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// A day and more.
const MOST_ROUNDS: u64 = 100_000_000;
const MOST_WINDOW: u64 = 5000;

fn rounds(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST_ROUNDS)
}

fn window(text: &str) -> Result<u64, String> {
    whole(text, 1, MOST_WINDOW)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a number from 0 to 1".into())
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let bar = bar(args.rounds * args.seeds, "{bar:32} round {pos} of {len}, {per_sec}, {eta} left");
    let mut outcomes = Vec::new();
    for seed in args.seed..args.seed.saturating_add(args.seeds) {
        let request = Request { rounds: args.rounds, seed, window: args.window, reuse: args.reuse };
        // A long run may be stopped: what is known so far is said at once.
        let told = |row: &Row| bar.suspend(|| say!("{}", talk(seed, row)));
        outcomes.push(play(&request, || bar.inc(1), told)?);
    }
    bar.finish_and_clear();
    let rounding = outcomes.iter().map(|outcome| outcome.rounding).fold(0.0, f64::max);
    let rows = means(&outcomes);
    if args.json {
        return output::json(&json!({"rows": rows, "rounding": rounding, "seeds": args.seeds}));
    }
    let table = Table {
        header: HEADER.map(String::from).into(),
        rows: rows.iter().map(cells).collect(),
        ..Table::default()
    };
    let seeds = args.seeds;
    let end = format!("seeds: {seeds}; largest |L L^T - K| at the end: {}\n", number(rounding));
    output::text(&(table.drawn() + &end))
}

const HEADER: [&str; 7] = ["t", "ms a round", "R+/t", "V/t", "violating", "points", "MB"];

fn means(outcomes: &[Outcome]) -> Vec<Row> {
    let at =
        |i: usize| Row::mean(&outcomes.iter().map(|outcome| &outcome.rows[i]).collect::<Vec<_>>());
    (0..outcomes[0].rows.len()).map(at).collect()
}

fn cells(row: &Row) -> Vec<Cell> {
    vec![
        row.round.into(),
        row.round_ms.into(),
        row.regret.into(),
        row.violation.into(),
        row.violating.into(),
        row.points.into(),
        megabytes(row).map_or_else(|| "-".into(), Cell::from),
    ]
}

fn megabytes(row: &Row) -> Option<f64> {
    row.memory.map(|bytes| bytes as f64 / 1e6)
}

fn talk(seed: u64, row: &Row) -> String {
    let memory = megabytes(row).map_or_else(|| "-".into(), number);
    format!(
        "seed {seed}, t = {}: {} ms a round, R+/t = {}, V/t = {}, {} points, {memory} MB",
        row.round,
        number(row.round_ms),
        number(row.regret),
        number(row.violation),
        number(row.points),
    )
}
