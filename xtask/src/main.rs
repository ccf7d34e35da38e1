//! The project's own commands: `cargo xtask <command>`.

mod bench;
mod doc;
mod golden;
mod run;
mod test;
mod venv;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own commands")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything a change must pass: format, lints, tests, documentation. Needs only Rust.
    Test,
    /// The documentation with rendered formulas, in target/doc. Needs npm.
    Doc(doc::Args),
    /// The golden values of the tests, computed anew. Needs Python 3.
    Golden(golden::Args),
    /// The benchmarks, in release mode.
    Bench(bench::Args),
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Test => test::run(),
        Command::Doc(args) => doc::run(&args),
        Command::Golden(args) => golden::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}
