//! `cargo xtask kills`: `kill -9` of `rpol run` at random moments, many times, and nothing lost.

use anyhow::Result;

use crate::run::{cargo, step};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Kills of a run with four workers.
    #[arg(long, default_value_t = 100)]
    four: u64,
    /// Kills of a run with one worker, which must go the way of an uninterrupted one.
    #[arg(long, default_value_t = 200)]
    one: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut tests = cargo("test --package rpol-cli --test kills -- --nocapture --test-threads 1");
    step("kills", tests.env("RPOL_KILLS", format!("{},{}", args.four, args.one)))
}
