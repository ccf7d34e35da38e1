//! One path after the other under callgrind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::kept::Counts;
use crate::run::{command, target};

/// The function whose instructions count: see `count`'s main.rs.
const SECTION: &str = "--toggle-collect=*counted_section*";

/// An error that says how to get it, where it is missing.
pub(super) fn check_that_it_is_there() -> Result<()> {
    let found = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    let remedy =
        "instructions are counted by valgrind: install it, on Debian by `apt-get install valgrind`";
    ensure!(found.is_ok_and(|status| status.success()), remedy);
    Ok(())
}

/// The program that takes the paths, and where callgrind writes.
pub(super) struct Counter {
    program: PathBuf,
    folder: PathBuf,
}

impl Counter {
    pub(super) fn new(program: PathBuf) -> Result<Self> {
        let folder = target().join("callgrind");
        fs::create_dir_all(&folder)?;
        Ok(Self { program, folder })
    }

    /// Every path the program lists.
    pub(super) fn count(&self) -> Result<Counts> {
        let paths = printed(&mut command(&self.program))?;
        let (mut counts, mut simd) = (BTreeMap::new(), String::new());
        for path in paths.lines() {
            let (count, level) = self.one(path)?;
            println!("{path:<14} {count:>14} instructions");
            counts.insert(path.to_string(), count);
            simd = level;
        }
        let version = printed(command("rustc").arg("--version"))?;
        let rustc = version.split_whitespace().nth(1).unwrap_or_default().to_string();
        Ok(Counts { simd, rustc, counts })
    }

    /// Instructions of one path, and the instruction set it was taken with.
    fn one(&self, path: &str) -> Result<(u64, String)> {
        let out = self.folder.join(format!("{path}.out"));
        let mut valgrind = command("valgrind");
        valgrind.args(["--tool=callgrind", SECTION, "--quiet"]);
        valgrind.arg(format!("--callgrind-out-file={}", out.display()));
        let level = printed(valgrind.arg(&self.program).arg(path))?;
        Ok((total(&out)?, level.trim().to_string()))
    }
}

/// What callgrind adds up at the end of its file.
fn total(file: &Path) -> Result<u64> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    match read_total(&text) {
        Some(0) | None => bail!("{}: callgrind has counted nothing", file.display()),
        Some(total) => Ok(total),
    }
}

fn read_total(text: &str) -> Option<u64> {
    text.lines().rev().find_map(|line| line.strip_prefix("totals:"))?.trim().parse().ok()
}

fn printed(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let output = command.output().with_context(|| format!("cannot start {program}"))?;
    let talk = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program}: {}\n{talk}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::read_total;

    #[test]
    fn the_total_is_read() {
        let text = "version: 1\nevents: Ir\nfn=(0) main\n16 5\n\ntotals: 1234\n";
        assert_eq!((read_total(text), read_total("events: Ir\n")), (Some(1234), None));
    }
}
