//! Files for people: written whole or not at all, and never over what is not ours.

mod own;

use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a new file may take the place of. A store is never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// Nothing.
    Nothing,
    /// Files that rpol wrote, and empty ones.
    Own,
    /// Any file.
    Any,
}

/// Why a file is left as it is: the user has to name another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Writes a file beside its place and moves it there, so that no reader meets half of it. Where the place is taken by
/// what may not be replaced, it is [`Refused`].
///
/// ```
/// use rpol_plot::{Replace, write_whole};
/// let path = std::env::temp_dir().join(format!("rpol-doc-{}.txt", std::process::id()));
/// std::fs::write(&path, "my notes")?;
/// assert!(write_whole(&path, b"a picture", Replace::Own).is_err());
/// assert_eq!(std::fs::read(&path)?, b"my notes");
/// write_whole(&path, b"a picture", Replace::Any)?;
/// assert_eq!(std::fs::read(&path)?, b"a picture");
/// std::fs::remove_file(&path)?;
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn write_whole(path: &Path, bytes: &[u8], replace: Replace) -> Result<()> {
    let place = place(path, bytes, replace)?;
    put(&place, bytes).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            refused(path, "it has come to be there meanwhile", ELSEWHERE).into()
        }
        _ => anyhow::Error::new(error).context(cannot(path)),
    })
}

/// Refuses a path that [`write_whole`] would refuse, for whoever works for hours before it writes.
pub fn check_place(path: &Path, replace: Replace) -> Result<()> {
    place(path, b"", replace).map(drop)
}

/// Where a file is to be put.
#[derive(Debug)]
enum Place {
    Free(PathBuf),
    /// Of a file that may be replaced.
    Taken(PathBuf),
}

/// The place behind a path, as far as it may be written to. A link stays, and what it leads to is looked at.
fn place(path: &Path, bytes: &[u8], replace: Replace) -> Result<Place> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Place::Free(path.into())),
        found => found.with_context(|| cannot(path))?,
    };
    let place = match found.is_symlink() {
        true => fs::canonicalize(path)
            .map_err(|_| refused(path, "it is a link to nothing", ELSEWHERE))?,
        false => path.into(),
    };
    let found = fs::metadata(&place).with_context(|| cannot(path))?;
    if found.is_dir() {
        return Err(io::Error::from(ErrorKind::IsADirectory)).with_context(|| cannot(path));
    }
    if !found.is_file() {
        return Err(refused(path, "it is a device, a pipe or a socket", ELSEWHERE).into());
    }
    if own::is_of_store(&place) {
        return Err(refused(path, "it is a store, which nothing replaces", ELSEWHERE).into());
    }
    match replace {
        Replace::Any => Ok(Place::Taken(place)),
        Replace::Own if own::is_own(&place, bytes) => Ok(Place::Taken(place)),
        Replace::Own => Err(refused(path, "rpol did not write it", OR_BY_FORCE).into()),
        Replace::Nothing => Err(refused(path, "it is there already", ELSEWHERE).into()),
    }
}

fn put(place: &Place, bytes: &[u8]) -> io::Result<()> {
    let (Place::Free(path) | Place::Taken(path)) = place;
    let (draft, mut file) = draft_beside(path)?;
    let mut attempt = || {
        file.write_all(bytes)?;
        file.sync_all()?;
        match place {
            Place::Free(path) => into_free_place(&draft, path),
            Place::Taken(path) => {
                file.set_permissions(fs::metadata(path)?.permissions())?;
                fs::rename(&draft, path)
            }
        }
    };
    let done = attempt();
    // After a move there is none.
    let _ = fs::remove_file(&draft);
    done
}

/// Moves a file to where there must be none, not even one that has come there meanwhile.
fn into_free_place(draft: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(draft, path) {
        // Not every file system has links.
        Err(error) if error.kind() != ErrorKind::AlreadyExists && !path.exists() => {
            fs::rename(draft, path)
        }
        linked => linked,
    }
}

/// A new file in the same folder, of a name that this process has not used before: who has moved its draft away and
/// then removes what may be left of it must not meet another's.
fn draft_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut tries = 0;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".rpol-{}-{count}.tmp", std::process::id());
        let draft = path.with_file_name(OsStr::new(&name));
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            // Left by a process of the same number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < 1000 => tries += 1,
            opened => return opened.map(|file| (draft, file)),
        }
    }
}

/// What can be done instead.
const ELSEWHERE: &str = "name another file";
const OR_BY_FORCE: &str = "name another file, or say that it may be replaced (--force)";

fn refused(path: &Path, why: &str, remedy: &str) -> Refused {
    Refused(format!("{} stays as it is: {why}: {remedy}", path.display()))
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}: make room, or choose another place", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Over files that are there already, so that drafts are moved.
    #[test]
    fn threads_that_write_into_one_folder_do_not_take_each_others_drafts() {
        let folder = std::env::temp_dir().join(format!("rpol-drafts-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let write = |thread: usize| {
            for i in 0..200 {
                let path = folder.join(format!("{thread}.txt"));
                write_whole(&path, format!("{thread} {i}").as_bytes(), Replace::Any).expect("room");
            }
        };
        thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || write(thread)))));
        let names: Vec<_> = fs::read_dir(&folder).expect("it").flatten().collect();
        assert_eq!(names.len(), 4, "no draft is left");
        fs::remove_dir_all(folder).expect("its removal");
    }
}
