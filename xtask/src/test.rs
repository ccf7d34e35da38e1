//! `cargo xtask test`: everything a change must pass.

use std::process::Stdio;

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
    dependencies()?;
    package::test()?;
    println!("\nAll steps passed.");
    Ok(())
}

/// Advisories, licences and sources of all crates, by deny.toml.
fn dependencies() -> Result<()> {
    let is_there = cargo("deny --version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        println!(
            "\nnot checked: advisories and licences of dependencies (cargo install cargo-deny)"
        );
        return Ok(());
    }
    step("dependencies", &mut cargo("deny check"))
}
