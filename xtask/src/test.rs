//! `cargo xtask test`: everything a change must pass.

use anyhow::Result;

use crate::package;
use crate::run::{cargo, step};

pub(crate) fn run() -> Result<()> {
    step("format", &mut cargo("fmt --all --check"))?;
    step("lints", &mut cargo("clippy --workspace --all-targets -- -D warnings"))?;
    step("tests and doc tests", &mut cargo("test --workspace"))?;
    let mut doc = cargo("doc --workspace --no-deps --lib");
    step("documentation", doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    package::test()?;
    println!("\nAll steps passed.");
    Ok(())
}
