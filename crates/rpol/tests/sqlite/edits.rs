//! A database that someone has edited, or of which a row is lost: noticed, and said where.

use crate::{Folder, entry};
use rpol::store::{Entry, Sqlite, Store};
use rusqlite::Connection;
use std::fs;

/// What is said of study `s`, of four entries, after an edit.
fn after(edit: &str) -> String {
    let folder = Folder::new("edits");
    let path = folder.file("a.db");
    let store = Sqlite::open(&path, true).unwrap();
    let log: Vec<Entry> = (0..4).map(entry).collect();
    store.append("s", 0, &log).unwrap();
    store.append("t", 0, &log[..1]).unwrap();
    drop(store);
    Connection::open(&path).unwrap().execute_batch(edit).unwrap();
    let store = Sqlite::open(&path, false).unwrap();
    let error = store.read("s", 0).expect_err(edit);
    assert_eq!(error.kind(), "Damaged", "{edit}: {error}");
    error.to_string()
}

#[test]
fn every_edit_is_noticed() {
    for (edit, words) in [
        ("UPDATE events SET at = at + 1 WHERE position = 2", "the checksum of entry 2"),
        ("UPDATE events SET event = replace(event, 'x', 'y') WHERE position = 3", "of entry 3"),
        ("DELETE FROM events WHERE study = 0 AND position = 1", "entry 2 comes where 1 should"),
        ("DELETE FROM events WHERE study = 0 AND position = 3", "3 entries where 4 were"),
        ("UPDATE studies SET length = 3 WHERE name = 's'", "4 entries where 3 were"),
        (
            "DELETE FROM events WHERE study = 0 AND position = 3;
             UPDATE studies SET length = 3 WHERE name = 's'",
            "the checksum of all 3 entries",
        ),
        ("UPDATE studies SET name = 'u' WHERE name = 's'", "its list of studies"),
        ("DELETE FROM studies WHERE name = 's'", "its list of studies"),
        ("DROP TABLE events", "no such table"),
    ] {
        let said = after(edit);
        assert!(said.contains(words), "{edit}: {said}");
    }
}

#[test]
fn a_vanished_study_is_missed_in_the_list() {
    for edit in ["DELETE FROM studies", "DELETE FROM store"] {
        let folder = Folder::new("vanished");
        let path = folder.file("a.db");
        Sqlite::open(&path, true).unwrap().append("s", 0, &[entry(0)]).unwrap();
        Connection::open(&path).unwrap().execute(edit, []).unwrap();
        let store = Sqlite::open(&path, false).unwrap();
        assert_eq!(store.studies().unwrap_err().kind(), "Damaged", "{edit}");
        assert_eq!(store.append("t", 0, &[entry(0)]).unwrap_err().kind(), "Damaged", "{edit}");
    }
}

#[test]
fn a_header_that_does_not_say_how_the_file_is_written_is_not_written_anew() {
    let folder = Folder::new("header");
    let path = folder.file("a.db");
    drop(Sqlite::open(&path, true).unwrap());
    for at in [18, 19] {
        let mut bytes = fs::read(&path).unwrap();
        bytes[at] = 0;
        let damaged = folder.file("damaged.db");
        fs::write(&damaged, &bytes).unwrap();
        assert_eq!(Sqlite::open(&damaged, false).unwrap_err().kind(), "Damaged");
        assert!(fs::read(&damaged).unwrap() == bytes, "the file was changed");
    }
}
