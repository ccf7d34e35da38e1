//! What is kept where the store fails under a run: the log, in a file beside it that import takes.

use anyhow::{Context, Result};
use rpol::Error;
use rpol::store::{Export, Shared, now, path, rfc3339};
use rpol_plot::write_whole;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Most characters of a study's name in the name of a file.
const LONGEST: usize = 60;

/// Whether it is the store that failed, so that what was measured has no place.
pub(crate) fn is_of_the_store(error: &Error) -> bool {
    matches!(error, Error::Storage { .. } | Error::Damaged { .. })
}

/// A file of its own for the log of a run.
pub(crate) struct Rescue(PathBuf);

impl Rescue {
    /// A new file beside the store, or where that cannot be, in this folder or that of temporary files.
    pub(crate) fn beside(storage: &str, study: &str) -> Result<Self> {
        let own = path(storage).ok().and_then(|path| Path::new(path).parent());
        let folders = [own.map(Path::to_path_buf), Some(".".into()), Some(std::env::temp_dir())];
        let mut failure = None;
        for folder in folders.into_iter().flatten() {
            match new_file(&folder, &name(study)) {
                Ok(file) => return Ok(Self(file)),
                Err(error) => failure = Some(error),
            }
        }
        let failure = failure.unwrap_or_else(|| ErrorKind::NotFound.into());
        Err(failure).context("no file can be made for what was measured")
    }

    pub(crate) fn path(&self) -> String {
        self.0.display().to_string()
    }

    /// The whole log, in place of what was written before.
    pub(crate) fn write(&self, shared: &Shared) -> Result<()> {
        let entries = shared.entries();
        let export = Export::of(&shared.study().spec().name, &entries)?;
        write_whole(&self.0, export.lines()?.as_bytes())
    }
}

/// A study's name is no path.
fn name(study: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let study: String = study.chars().take(LONGEST).map(plain).collect();
    format!("{}-rescued-{}", study.trim_start_matches('-'), rfc3339(now()).replace([':', '.'], "-"))
}

/// A file that was not there.
fn new_file(folder: &Path, name: &str) -> std::io::Result<PathBuf> {
    for count in 0.. {
        let more = if count == 0 { String::new() } else { format!("-{count}") };
        let file = folder.join(format!("{name}{more}.jsonl"));
        match OpenOptions::new().write(true).create_new(true).open(&file) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|_| file),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten_and_no_name_is_a_path() {
        let folder = std::env::temp_dir().join(format!("rpol-rescue-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let files: Vec<PathBuf> = (0..3).map(|_| new_file(&folder, "s").expect("a file")).collect();
        assert!(files[0] != files[1] && files[1] != files[2]);
        let hostile = name("../../etc/pass wd");
        assert!(hostile.starts_with("etc-pass-wd-rescued-"), "{hostile}");
        std::fs::remove_dir_all(folder).expect("its removal");
    }
}
