//! The Python package: its tests, and `cargo xtask python`, its promises.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::run::{command, root, step, target};
use crate::venv::{PACKAGE, fresh, pip};

/// Of tests: optimised too, and it shares what the other tests have built.
pub(crate) const DEVELOPMENT: &str = "dev";

/// Types, stubs and tests of the package.
pub(crate) fn test() -> Result<()> {
    let python = PACKAGE.python()?;
    install(&python, DEVELOPMENT)?;
    let sources = ["crates/rpol-python/python/rpol", "examples/python"];
    step("Python: types", command(&python).args(["-m", "mypy"]).args(sources))?;
    let mut stubs = command(&python);
    stubs.args(["-m", "mypy.stubtest", "rpol", "--mypy-config-file", "pyproject.toml"]);
    stubs.args(["--allowlist", "crates/rpol-python/tests/stubtest-allowlist.txt"]);
    step("Python: stubs", &mut stubs)?;
    let mut tests = command(&python);
    // The tests of the command line have built it.
    tests.env("RPOL_BINARY", target().join("debug/rpol"));
    step("Python: tests", tests.args(["-B", "-m", "pytest"]))
}

/// Installs the package as the profile builds it.
pub(crate) fn install(python: &Path, profile: &str) -> Result<()> {
    let wheels = empty(&target().join("wheels"))?;
    let mut build = command(python);
    build.args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"]).arg(&wheels);
    step("Python: wheel", &mut build)?;
    let mut install = pip(python);
    install.args(["install", "--force-reinstall", "--no-deps"]).arg(only_file(&wheels)?);
    step("Python: install", &mut install)
}

/// What is promised of the package as users get it: `pip install .` into an environment with nothing in it.
pub(crate) fn run() -> Result<()> {
    let python = fresh("venv-fresh")?;
    let wheels = empty(&target().join("wheels-release"))?;
    step("wheel", pip(&python).args(["wheel", ".", "--no-deps", "--wheel-dir"]).arg(&wheels))?;
    step("pip install .", pip(&python).args(["install", "."]))?;
    let promises = root().join("crates/rpol-python/tests/promises.py");
    let mut installed = command(&python);
    installed.arg("-B").arg(&promises).arg("installed").arg(only_file(&wheels)?);
    step("what was installed", &mut installed)?;
    step("scikit-learn", pip(&python).args(["install", "scikit-learn"]))?;
    step("speed", command(&python).arg("-B").arg(promises).arg("speed"))
}

fn empty(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    Ok(folder.to_path_buf())
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let mut files = std::fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    ensure!(files.len() == 1, "{} files in {}: one is expected", files.len(), folder.display());
    Ok(files.pop().context("there is one")?.path())
}
