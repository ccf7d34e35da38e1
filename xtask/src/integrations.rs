//! `cargo xtask python-integrations`: the adapters with what is too large, or too old, for every run of the tests.

use anyhow::Result;

use crate::package;
use crate::run::{command, step};
use crate::venv::INTEGRATIONS;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Instead of the tests: samplers of Optuna beside each other on the classical problem.
    #[arg(long)]
    measure: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let python = INTEGRATIONS.python()?;
    package::install(&python, package::DEVELOPMENT)?;
    if !args.measure {
        let tests = ["-B", "-m", "pytest", "crates/rpol-python/tests/integrations"];
        return step("adapters", command(&python).args(tests));
    }
    for noise in ["0", "0.05"] {
        let script = ["-B", "crates/rpol-python/measure/optuna_samplers.py", "--noise", noise];
        step("samplers of Optuna", command(&python).args(script))?;
    }
    Ok(())
}
