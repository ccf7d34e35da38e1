//! The command line.

mod pipe;
mod schema;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "rpol", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ask and tell from any language: one JSON object a line on stdin, one on stdout
    #[command(long_about = pipe::HELP)]
    Pipe,
    /// Print the JSON Schema of a study's definition
    Schema,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Pipe => pipe::run(),
        Command::Schema => schema::run(),
    }
}
