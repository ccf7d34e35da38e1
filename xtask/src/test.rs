//! `cargo xtask test`: everything a change must pass.

use anyhow::Result;

use crate::package;
use crate::run::{cargo, step};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the steps of the Python package; the rest must have passed before.
    #[arg(long)]
    python: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.python {
        return package::test();
    }
    step("format", &mut cargo("fmt --all --check"))?;
    step("lints", &mut cargo("clippy --workspace --all-targets -- -D warnings"))?;
    step("tests and doc tests", &mut cargo("test --workspace"))?;
    let mut doc = cargo("doc --workspace --no-deps --lib");
    step("documentation", doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    package::test()?;
    println!("\nAll steps passed.");
    Ok(())
}
