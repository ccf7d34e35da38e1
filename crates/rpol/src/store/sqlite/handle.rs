//! The one file descriptor through which a process looks at a database itself.
//!
//! When a process closes any descriptor of a file it gives up all POSIX locks that it holds on it,
//! those of SQLite's connections among them. Another process would then take itself for the last
//! one, and remove the log that these connections still write to: what they acknowledge would be
//! lost. So a file that is open already is looked at through the descriptor that is there, and that
//! is closed after the last connection.

use super::failure::unusable;
use crate::error::Result;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A file as the system knows it: device and inode.
pub(super) type Identity = (u64, u64);

/// The files that this process has open as stores.
static OPEN: Mutex<BTreeMap<Identity, Weak<Handle>>> = Mutex::new(BTreeMap::new());

/// A file that is open once in this process.
#[derive(Debug)]
pub(super) struct Handle {
    identity: Option<Identity>,
    /// More than one where another handle on the same file was given up while this one was made.
    files: Mutex<Vec<File>>,
}

impl Handle {
    /// That of a file, opened for reading where it is not open yet.
    pub(super) fn of(path: &Path) -> Result<Arc<Self>> {
        let failed = |error: std::io::Error| unusable(path, format!("it cannot be read: {error}"));
        let mut open = registry();
        let known = identity(&std::fs::metadata(path).map_err(failed)?);
        if let Some(handle) = known.and_then(|known| open.get(&known)?.upgrade()) {
            return Ok(handle);
        }
        let file = File::open(path).map_err(failed)?;
        // It may be another one by now.
        let identity = identity(&file.metadata().map_err(failed)?);
        let there = identity.and_then(|identity| open.get(&identity)?.upgrade());
        if let Some(handle) = there {
            handle.files().push(file);
            return Ok(handle);
        }
        let handle = Arc::new(Self { identity, files: Mutex::new(vec![file]) });
        identity.and_then(|identity| open.insert(identity, Arc::downgrade(&handle)));
        Ok(handle)
    }

    fn files(&self) -> MutexGuard<'_, Vec<File>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the file.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&File) -> std::io::Result<T>,
    ) -> std::io::Result<T> {
        match self.files().first() {
            Some(file) => work(file),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut open = registry();
        let Some(identity) = self.identity else { return };
        match open.get(&identity).and_then(Weak::upgrade) {
            // Somebody has opened it again meanwhile.
            Some(other) => other.files().append(&mut self.files()),
            None => drop(open.remove(&identity)),
        }
        // While nobody can begin to use the same file.
        self.files().clear();
    }
}

fn registry() -> MutexGuard<'static, BTreeMap<Identity, Weak<Handle>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)] // elsewhere there is none
pub(super) fn identity(found: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> Option<Identity> {
    None
}
