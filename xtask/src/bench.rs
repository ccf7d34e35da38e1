//! `cargo xtask bench`: every promise of the engine beside its limit, measured in the same run.

use anyhow::Result;

use crate::run::{cargo, step};
use crate::venv::GOLDEN;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Leave out the lines that need NumPy, and with them Python.
    #[arg(long)]
    no_numpy: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut bench = cargo("run --release --package rpol-lab --bin bench --");
    if !args.no_numpy {
        bench.arg(GOLDEN.python()?);
    }
    step("benchmarks", &mut bench)
}
