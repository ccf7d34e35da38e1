//! The project's own commands: `cargo xtask <command>`.
#![forbid(unsafe_code)]

mod bench;
mod bench_count;
mod bench_live;
mod bench_peers;
mod doc;
mod golden;
mod integrations;
mod lab;
mod overhead;
mod package;
mod run;
mod test;
mod venv;

use std::process::ExitCode;

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
    /// Everything a change must pass: format, lints, tests, documentation, the Python package. Needs Python 3.
    Test(test::Args),
    /// The documentation with rendered formulas, in target/doc. Needs npm.
    Doc,
    /// The golden values of the tests, computed anew. Needs Python 3.
    Golden(golden::Args),
    /// How close every decision comes to the global maximum of its score, in release mode.
    Argmax(lab::Args),
    /// The benchmarks, each beside its limit, or beside other optimizers. Needs Python 3, unless --no-numpy.
    Bench(bench::Args),
    /// 64 processes that ask and tell on one database: how fast, and is anything lost, in release mode.
    Contention(lab::Args),
    /// Bit flips and cuts all over a database: each gives an error or the whole truth.
    Torture,
    /// Mutated inputs for pipe, studies, constraints, logs and stores: no panic, no hang.
    Fuzz(lab::Fuzz),
    /// Kills, stops, full disks and more at once, against runs and single commands, and nothing lost.
    Chaos(lab::Chaos),
    /// `kill -9` of `rpol run` at random moments, many times, and nothing lost.
    Kills(lab::Kills),
    /// What `rpol run` spends on a trial beside the start of its command.
    Overhead(overhead::Args),
    /// The curves of the paper's experiments, of every algorithm, against an independent script. Needs Python 3.
    PaperCheck,
    /// What is promised of the Python package, installed by `pip install .` in an empty environment. Needs Python 3.
    Python,
    /// The adapters of the Python package with Ray, Optuna's dashboard and its older version. Needs Python 3.
    PythonIntegrations(integrations::Args),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Test(args) => test::run(&args),
        Command::Doc => doc::run(),
        Command::Golden(args) => golden::run(&args),
        Command::Argmax(args) => lab::run("argmax", &args),
        Command::Bench(args) => bench::run(&args),
        Command::Contention(args) => lab::run("contention", &args),
        Command::Torture => lab::torture(),
        Command::Chaos(args) => lab::chaos(&args),
        Command::Fuzz(args) => lab::fuzz(&args),
        Command::Kills(args) => lab::kills(&args),
        Command::Overhead(args) => overhead::run(&args),
        Command::PaperCheck => lab::paper_check(),
        Command::Python => package::run(),
        Command::PythonIntegrations(args) => integrations::run(&args),
    }
}
