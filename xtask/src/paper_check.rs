//! `cargo xtask paper-check`: the paper's curves against an independent script.

use anyhow::Result;

use crate::run::{cargo, command, root, step, target};
use crate::venv::GOLDEN;

/// The development profile is optimised as well, and the tests have built it.
pub(crate) fn run() -> Result<()> {
    let python = GOLDEN.python()?;
    let folder = target().join("paper-check");
    std::fs::create_dir_all(&folder)?;
    let (world, curves) = (folder.join("world.json"), folder.join("curves.json"));
    let mut studies = cargo("run --package rpol-lab --bin paper_check --");
    studies.arg("--world").arg(&world).arg("--curves").arg(&curves);
    step("studies", &mut studies)?;
    let script = root().join("crates/rpol-lab/tests/golden/paper_check.py");
    step("script", command(python).arg("-B").arg(script).arg(world).arg(curves))
}
