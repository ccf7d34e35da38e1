//! `cargo xtask contention`: many processes on one database.

use anyhow::Result;

use crate::run::{cargo, step};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program, such as `--processes 8`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut contention = cargo("run --release --package rpol-lab --bin contention --");
    step("contention", contention.args(&args.rest))
}
