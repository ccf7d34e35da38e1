//! The main paths, each once, for callgrind to count the instructions of: `cargo xtask bench count`.
//!
//! `count` lists the paths, `count PATH` takes one and prints the instruction set it was taken with.

mod cases;
mod simd;

use anyhow::{Context, Result};
use std::hint::black_box;

fn main() -> Result<()> {
    let Some(name) = std::env::args().nth(1) else {
        cases::CASES.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    };
    let case = cases::CASES.iter().find(|(known, _)| *known == name);
    let (_, run) = case.with_context(|| format!("{name}: no such path; `count` lists them"))?;
    run()?;
    println!("{}", simd::level());
    Ok(())
}

/// Callgrind counts what happens in here, and knows it by this name.
#[inline(never)]
fn counted_section<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}
