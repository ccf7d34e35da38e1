//! Running other programs, and where things are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask is a folder of the repository").to_path_buf()
}

/// The folder cargo builds into.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The command `program`, run at the root.
pub(crate) fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root());
    command
}

/// `cargo` with its arguments in one line.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut cargo = command("cargo");
    cargo.args(arguments.split_whitespace());
    cargo
}

/// Runs to the end; an error unless it succeeds.
pub(crate) fn check(command: &mut Command) -> Result<()> {
    let program = command.get_program().display().to_string();
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "{program}: {status}");
    Ok(())
}

/// Runs under a heading, and tells how long it took.
pub(crate) fn step(name: &str, command: &mut Command) -> Result<()> {
    println!("\n==> {name}");
    let start = Instant::now();
    let outcome = check(command);
    let verdict = if outcome.is_ok() { "passed" } else { "FAILED" };
    println!("<== {name}: {verdict} in {:.1} s", start.elapsed().as_secs_f64());
    outcome.with_context(|| format!("step failed: {name}"))
}
