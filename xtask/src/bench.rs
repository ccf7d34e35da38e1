//! `cargo xtask bench`: every promise of the engine beside its limit, measured in the same run.

use anyhow::Result;

use crate::bench_count;
use crate::bench_live;
use crate::bench_peers;
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
    /// Beside other optimizers on the live course: trials over a limit, violation, gain. Needs Python 3.11 and hours.
    Live(bench_live::Args),
    /// Beside other optimizers: CPU time of an ask, regret and violation. Needs Python 3.11 and an hour.
    Peers(bench_peers::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.kind {
        Some(Kind::Count(args)) => return bench_count::run(args),
        Some(Kind::Live(args)) => return bench_live::run(args),
        Some(Kind::Peers(args)) => return bench_peers::run(args),
        None => {}
    }
    let mut bench = cargo("run --release --package rpol-lab --bin bench --");
    if !args.no_numpy {
        bench.arg(GOLDEN.python()?);
    }
    step("benchmarks", &mut bench)
}
