//! The live course for others: a system behind a pipe, what is true of its settings, and the search for the best of them.
//!
//! ```text
//! cargo run --release -p rpol-lab --bin live -- search --systems queue
//! ```

mod find;
mod serve;
mod trust;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Simulated live systems; `rpol lab arena --problems live` plays them.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer settings on stdin, one JSON object a line, by measurements.
    Serve(serve::Args),
    /// Answer settings on stdin by their true means.
    Truth(serve::Truly),
    /// Search for the best setting of systems, by long averages.
    Search(find::Args),
    /// Hold what was promised of recommended settings against what is true of them.
    Trust(trust::Args),
}

fn main() -> Result<()> {
    match Args::parse().command {
        Command::Serve(args) => serve::run(&args),
        Command::Truth(args) => serve::truly(&args),
        Command::Search(args) => find::run(&args),
        Command::Trust(args) => trust::run(&args),
    }
}
