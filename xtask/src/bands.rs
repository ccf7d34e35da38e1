//! `cargo xtask bands`: what too tight a band does to RPOL, CONFIG and EPBO.

use anyhow::Result;

use crate::run::{cargo, step};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Arguments of the program, such as `--seeds 5`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut bands = cargo("run --release --package rpol-lab --bin bands --");
    step("bands", bands.args(&args.rest))
}
