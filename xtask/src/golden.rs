//! `cargo xtask golden`: golden values, written by the script beside them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::run::{command, root, step, target};
use crate::venv::GOLDEN;

/// Relative; the last digits may depend on the machine's libraries.
const TOLERANCE: f64 = 1e-12;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Change nothing: compute the values elsewhere and compare.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let python = GOLDEN.python()?;
    for script in scripts()? {
        let home = script.parent().context("a script lies in a folder")?;
        let out = if args.check { fresh(&target().join("golden"))? } else { home.to_path_buf() };
        let name = script.strip_prefix(root())?.display().to_string();
        step(&name, command(&python).arg("-B").arg(&script).arg(&out))?;
        if args.check {
            compare_all(&out, home).with_context(|| format!("{name} gives other values"))?;
        }
    }
    Ok(())
}

/// Each takes the folder to write into as its argument.
fn scripts() -> Result<Vec<PathBuf>> {
    let mut scripts = vec![root().join("crates/rpol/src/sobol/directions.py")];
    for home in ["crates/rpol/tests/golden", "crates/rpol-lab/tests/golden"] {
        let golden = |path: &PathBuf| path.to_string_lossy().ends_with("_golden.py");
        scripts.extend(files(&root().join(home))?.into_iter().filter(golden));
    }
    Ok(scripts)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn fresh(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    Ok(folder.to_path_buf())
}

/// Every file made in `made` against its namesake in `kept`.
fn compare_all(made: &Path, kept: &Path) -> Result<()> {
    let made = files(made)?;
    ensure!(!made.is_empty(), "the script wrote nothing");
    for path in made {
        let name = path.file_name().context("a file has a name")?;
        let (new, old) = (read(&path)?, read(&kept.join(name))?);
        let at = name.to_string_lossy();
        if path.extension().is_some_and(|end| end == "json") {
            compare(&at, &serde_json::from_str(&new)?, &serde_json::from_str(&old)?)?;
        } else {
            ensure!(new == old, "{at} differs");
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Numbers within [`TOLERANCE`], everything else equal; `at` says where in the file.
fn compare(at: &str, new: &Value, old: &Value) -> Result<()> {
    match (new, old) {
        (Value::Array(new), Value::Array(old)) if new.len() == old.len() => {
            let mut pairs = new.iter().zip(old).enumerate();
            pairs.try_for_each(|(i, (new, old))| compare(&format!("{at}[{i}]"), new, old))
        }
        (Value::Object(new), Value::Object(old)) if new.keys().eq(old.keys()) => {
            new.iter().try_for_each(|(key, new)| compare(&format!("{at}.{key}"), new, &old[key]))
        }
        (Value::Number(new), Value::Number(old)) if close(new.as_f64(), old.as_f64()) => Ok(()),
        (new, old) if new == old => Ok(()),
        _ => bail!("{at}: {new} is not {old}"),
    }
}

fn close(new: Option<f64>, old: Option<f64>) -> bool {
    new.zip(old).is_some_and(|(new, old)| (new - old).abs() <= TOLERANCE * old.abs().max(new.abs()))
}
