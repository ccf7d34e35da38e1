//! Nobody is locked out for long, and nobody loses a lock by looking at a file.

use crate::Folder;
use rpol::Spec;
use rpol::store::{Shared, Sqlite, Store};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

fn spec() -> Spec {
    let text = "name = 's'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }";
    Spec::from_toml(text).unwrap()
}

#[test]
fn who_decides_holds_no_lock() {
    let folder = Folder::new("decides");
    let open = || Arc::new(Sqlite::open(&folder.file("a.db"), true).unwrap());
    let mut slow = Shared::open(open(), spec()).unwrap();
    let mut quick = Shared::open(open(), spec()).unwrap();
    let mut tries = 0;
    // Twice it is overtaken while it decides; it would wait for itself if it locked others out meanwhile.
    let asked = slow.change(|study| {
        tries += 1;
        if tries < 3 {
            quick.change(|study| study.ask())?;
        }
        study.ask()
    });
    assert_eq!((asked.unwrap().number, tries), (2, 3));
    quick.refresh().unwrap();
    assert_eq!(quick.study().trials().len(), 3);
}

/// How many locks on a file this process holds.
fn locks(path: &Path) -> usize {
    let inode = format!(":{} ", std::fs::metadata(path).unwrap().ino());
    let own = format!(" {} ", std::process::id());
    let known = std::fs::read_to_string("/proc/locks").unwrap();
    known
        .lines()
        .filter(|line| line.contains("POSIX") && line.contains(&inode) && line.contains(&own))
        .count()
}

/// A process gives up its locks on a file when it closes any descriptor of it. Without them another process takes
/// itself for the last one, and removes the log that this one writes to.
#[test]
#[cfg(target_os = "linux")]
fn a_second_store_on_the_same_file_leaves_the_locks_of_the_first() {
    let folder = Folder::new("second");
    let path = folder.file("a.db");
    let first = Sqlite::open(&path, true).unwrap();
    assert_eq!(first.studies().unwrap().len(), 0);
    assert!(locks(&path) > 0);
    let second = Sqlite::open(&path, true).unwrap();
    assert!(locks(&path) > 0, "after a second was opened");
    drop(second);
    assert!(locks(&path) > 0, "after it was closed");
    drop(first);
    assert_eq!(locks(&path), 0);
}
