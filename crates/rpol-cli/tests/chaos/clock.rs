//! A library that steps the clock of the process that loads it. SQLite needs a C compiler as well, so there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds it; none where that cannot be done.
pub(crate) fn built(folder: &Path) -> Option<PathBuf> {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    fs::write(&source, include_str!("clock.c")).ok()?;
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source);
    let built = compiler.stdout(Stdio::null()).stderr(Stdio::null()).status();
    built.is_ok_and(|status| status.success()).then_some(library)
}
