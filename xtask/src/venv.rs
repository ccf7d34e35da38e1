//! Python environments in target/, each with the packages that its file pins.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::run::{check, command, root, target};

/// An environment: the name of its folder, and the file of its pins.
pub(crate) struct Environment {
    name: &'static str,
    requirements: &'static str,
}

/// For the golden values, the paper's curves and the benchmarks.
pub(crate) const GOLDEN: Environment =
    Environment { name: "venv", requirements: "crates/rpol/tests/golden/requirements.txt" };
/// For the Python package.
pub(crate) const PACKAGE: Environment =
    Environment { name: "venv-python", requirements: "crates/rpol-python/tests/requirements.txt" };
/// For its adapters: Ray, and the older Optuna.
pub(crate) const INTEGRATIONS: Environment = Environment {
    name: "venv-integrations",
    requirements: "crates/rpol-python/tests/integrations/requirements.txt",
};
/// For the optimizers that rpol is compared with.
pub(crate) const PEERS: Environment =
    Environment { name: "venv-peers", requirements: "bench/peers/requirements.txt" };

impl Environment {
    /// Its Python; it is made at first use and whenever the pins change.
    pub(crate) fn python(&self) -> Result<PathBuf> {
        let requirements = root().join(self.requirements);
        let folder = target().join(self.name);
        let marker = folder.join("installed-requirements.txt");
        let wanted = std::fs::read_to_string(&requirements)?;
        if std::fs::read_to_string(&marker).is_ok_and(|installed| installed == wanted) {
            return Ok(interpreter(&folder));
        }
        let python = made(&folder)?;
        check(pip(&python).args(["install", "-r"]).arg(requirements))?;
        std::fs::write(marker, wanted)?;
        Ok(python)
    }
}

/// The Python of an environment that is made anew, with nothing in it.
pub(crate) fn fresh(name: &str) -> Result<PathBuf> {
    let folder = target().join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    made(&folder)
}

/// `pip` of an environment.
pub(crate) fn pip(python: &Path) -> std::process::Command {
    let mut pip = command(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    pip
}

fn made(folder: &Path) -> Result<PathBuf> {
    check(command("python3").args(["-m", "venv"]).arg(folder))
        .context("a Python environment needs python3 with venv")?;
    Ok(interpreter(folder))
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
