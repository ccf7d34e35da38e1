//! `cargo xtask bench`: every promise of the engine beside its limit, measured in the same run.

use anyhow::Result;

use crate::bench_count;
use crate::run::{cargo, step};
use crate::venv::GOLDEN;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: Option<Kind>,
    /// Leave out the lines that need NumPy, and with them Python.
    #[arg(long)]
    no_numpy: bool,
}

#[derive(clap::Subcommand)]
enum Kind {
    /// Instructions of the main paths, against those kept in bench/counts.toml. Needs valgrind.
    Count(bench_count::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(Kind::Count(args)) = &args.kind {
        return bench_count::run(args);
    }
    let mut bench = cargo("run --release --package rpol-lab --bin bench --");
    if !args.no_numpy {
        bench.arg(GOLDEN.python()?);
    }
    step("benchmarks", &mut bench)
}
