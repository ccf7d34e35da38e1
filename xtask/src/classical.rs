//! `cargo xtask classical`: the classical problem through `rpol pipe`.

use anyhow::Result;

use crate::run::{cargo, step, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many rounds.
    #[arg(long, default_value_t = 500)]
    rounds: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    step("rpol", &mut cargo("build --release --package rpol-cli"))?;
    let mut classical = cargo("run --release --package rpol-lab --bin classical --");
    classical.arg(target().join("release/rpol")).arg(args.rounds.to_string());
    step("classical", &mut classical)
}
