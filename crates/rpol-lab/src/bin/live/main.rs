//! The live course: play it, serve it to others, ask for the truth, search for the best.
//!
//! ```text
//! cargo run --release -p rpol-lab --bin live -- play --players rpol,random --systems tuned --seeds 0..10
//! ```

mod changes;
mod find;
mod keep;
mod play;
mod rows;
mod serve;
mod survey;
mod trace;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Simulated live systems: players tune them, and are judged by what is true.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let players tune systems: a row for each of both.
    Play(play::Args),
    /// Answer settings on stdin, one JSON object a line, by measurements.
    Serve(serve::Args),
    /// Answer settings on stdin by their true means.
    Truth(serve::Truly),
    /// Search for the best setting of systems, by long averages.
    Search(find::Args),
    /// Hold players against budgets, and trials over a limit against the noise.
    Keep(keep::Args),
    /// Count what a player takes for changes of systems, and how soon it notices those there are.
    Changes(changes::Args),
    /// What the systems are like: baseline, best known, random play.
    Survey(survey::Args),
}

fn main() -> Result<()> {
    match Args::parse().command {
        Command::Play(args) => play::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Truth(args) => serve::truly(&args),
        Command::Search(args) => find::run(&args),
        Command::Keep(args) => keep::run(&args),
        Command::Changes(args) => changes::run(&args),
        Command::Survey(args) => survey::run(&args),
    }
}
