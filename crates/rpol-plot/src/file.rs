//! Files for people: written whole or not at all.

use anyhow::{Context, Result};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes a file beside its place and moves it there, so that no reader meets half of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let aside = path.with_extension(format!("{}.tmp", std::process::id()));
    let attempt = || -> std::io::Result<()> {
        let mut file = fs::File::create(&aside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    attempt().inspect_err(|_| drop(fs::remove_file(&aside))).with_context(|| {
        format!("cannot write {}: make room, or choose another --out", path.display())
    })
}
