//! A Python environment in target/venv with the pinned packages of the golden values.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::run::{check, command, root, target};

/// The Python of the environment, which is made at first use and whenever the pins change.
pub(crate) fn venv() -> Result<PathBuf> {
    let requirements = root().join("crates/rpol/tests/golden/requirements.txt");
    let folder = target().join("venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let marker = folder.join("installed-requirements.txt");
    let wanted = std::fs::read_to_string(&requirements)?;
    if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    check(command("python3").args(["-m", "venv"]).arg(&folder))
        .context("a Python environment needs python3 with venv")?;
    let mut pip = command(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    check(pip.arg(requirements))?;
    std::fs::write(marker, wanted)?;
    Ok(python)
}
