//! A database that is removed or replaced while it is in use: nothing is acknowledged any more.
#![cfg(unix)]

use crate::{Folder, entry};
use rpol::store::{Sqlite, Store};
use std::fs;

fn is_refused(store: &Sqlite, words: &str) {
    let error = store.append("s", 1, &[entry(1)]).unwrap_err();
    assert_eq!(error.kind(), "Storage");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_removed_file_is_noticed_before_anything_is_acknowledged() {
    for file in ["a.db", "a.db-wal", "a.db-shm"] {
        let folder = Folder::new(&format!("removed-{file}"));
        let store = Sqlite::open(&folder.file("a.db"), true).unwrap();
        store.append("s", 0, &[entry(0)]).unwrap();
        fs::remove_file(folder.file(file)).unwrap();
        is_refused(&store, &format!("{file}: the file was removed while it was in use"));
    }
}

#[test]
fn a_replaced_file_is_noticed_before_anything_is_acknowledged() {
    let folder = Folder::new("replaced");
    let store = Sqlite::open(&folder.file("a.db"), true).unwrap();
    store.append("s", 0, &[entry(0)]).unwrap();
    drop(Sqlite::open(&folder.file("b.db"), true).unwrap());
    fs::rename(folder.file("b.db"), folder.file("a.db")).unwrap();
    is_refused(&store, "a.db: the file was replaced while it was in use");
}

#[test]
fn a_file_that_stays_is_written_to_by_several() {
    let folder = Folder::new("stays");
    let (one, two) = (
        Sqlite::open(&folder.file("a.db"), true).unwrap(),
        Sqlite::open(&folder.file("a.db"), true).unwrap(),
    );
    for number in 0..50 {
        let store = if number % 2 == 0 { &one } else { &two };
        store.append("s", number as usize, &[entry(number)]).unwrap();
    }
    drop(one);
    two.append("s", 50, &[entry(50)]).unwrap();
}
