//! `cargo xtask bench`: the benchmarks, beside the same work in NumPy when asked.

use anyhow::Result;

use crate::run::{cargo, command, root, step};
use crate::venv::venv;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// First time the same work in NumPy.
    #[arg(long)]
    numpy: bool,
    /// Arguments of the benchmark program.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.numpy {
        let script = root().join("crates/rpol-lab/bench/pool_update.py");
        step("NumPy", command(venv()?).arg(script))?;
    }
    let mut bench = cargo("run --release --package rpol-lab --bin bench --");
    step("rpol", bench.args(&args.rest))
}
