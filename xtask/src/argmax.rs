//! `cargo xtask argmax`: how close every decision comes to the global maximum of its score.

use anyhow::Result;

use crate::run::{cargo, step};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program, such as `--every 1`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut argmax = cargo("run --release --package rpol-lab --bin argmax --");
    step("argmax", argmax.args(&args.rest))
}
