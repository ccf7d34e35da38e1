//! `cargo xtask torture`: a damaged database gives an error or the whole truth, at ten thousand bit flips and more.

use anyhow::Result;

use crate::run::{cargo, step};

pub(crate) fn run() -> Result<()> {
    let mut torture = cargo("test --package rpol --test sqlite -- --ignored --nocapture");
    step("torture", &mut torture)
}
