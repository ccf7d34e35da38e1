//! Drafts of new stores: files beside their place that are moved there once they are whole.
//!
//! A process that is killed leaves its draft; whoever comes next sweeps it up.

use super::open::beside;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;

/// What stands in a draft's name between that of the store and the number of the process.
const NEW: &str = "-new-";

/// A draft of this process, gone when it is dropped.
pub(super) struct Draft {
    path: PathBuf,
    /// Tells others, also in another space of process numbers, that somebody is at work.
    lock: Option<File>,
}

impl Draft {
    pub(super) fn beside(path: &Path) -> std::io::Result<Self> {
        let (process, thread) = (std::process::id(), thread::current().id());
        let path = beside(path, &format!("{NEW}{process}-{thread:?}"));
        let file = File::options().write(true).create(true).truncate(true).open(&path)?;
        // Elsewhere these locks and those of SQLite might meet.
        let is_locked = cfg!(target_os = "linux") && file.try_lock().is_ok();
        Ok(Self { path, lock: Some(file).filter(|_| is_locked) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place, where there must be none. The lock is given up before: once others use the file, to
    /// close a descriptor of it would take their locks away.
    pub(super) fn put(&mut self, place: &Path) -> std::io::Result<()> {
        File::open(&self.path)?.sync_all()?;
        self.lock = None;
        fs::hard_link(&self.path, place)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Where even this fails, a file that is never read is left.
        for rest in ["", "-journal", "-wal"] {
            let _ = fs::remove_file(beside(&self.path, rest));
        }
    }
}

/// Removes the drafts of a store whose processes live no more. What cannot be removed does no harm.
pub(super) fn sweep(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let begins = format!("{}{NEW}", name.to_string_lossy());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let rest = found.to_str().and_then(|found| found.strip_prefix(&begins));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && rest.is_some_and(is_left) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether what follows `-new-` names a process that is gone.
fn is_left(rest: &str) -> bool {
    let process =
        rest.split_once("-ThreadId(").and_then(|(process, _)| process.parse::<u32>().ok());
    // Of other systems nothing is known.
    process.is_some_and(|process| {
        cfg!(target_os = "linux") && !Path::new(&format!("/proc/{process}")).exists()
    })
}

fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}
