//! Whether a database is still where it was opened.
//!
//! A file that is removed or replaced lives on for who has it open: what is written to it then is gone with the process.
//! The log beside it and its shared memory are as much part of a database.

use super::failure::unusable;
use super::handle::{Identity, identity};
use super::open::beside;
use crate::error::Result;
use std::path::{Path, PathBuf};

/// The files of a database that is open, as they were found.
#[derive(Debug)]
pub(super) struct Place(Vec<(PathBuf, Identity)>);

impl Place {
    /// Those of a database that was opened to be written and read once, so that all of them are there.
    pub(super) fn of(path: &Path) -> Self {
        let files = ["", "-wal", "-shm"].map(|suffix| beside(path, suffix));
        Self(files.into_iter().filter_map(|path| found(&path).map(|id| (path, id))).collect())
    }

    /// Refuses to go on where one of them was removed or replaced.
    pub(super) fn check(&self) -> Result<()> {
        let Some((path, _)) = self.0.iter().find(|(path, id)| found(path) != Some(*id)) else {
            return Ok(());
        };
        let what = if found(path).is_some() { "replaced" } else { "removed" };
        let problem = format!(
            "the file was {what} while it was in use: what is written now would be lost with this process"
        );
        Err(unusable(path, problem))
    }
}

fn found(path: &Path) -> Option<Identity> {
    identity(&std::fs::metadata(path).ok()?)
}
