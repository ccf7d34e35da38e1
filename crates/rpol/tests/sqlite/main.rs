//! Logs in an SQLite database: the laws of a store, files that are none, and damage of every kind.
#![allow(clippy::unwrap_used)]

mod edits;
mod files;
mod folder;
mod locks;
mod place;
mod processes;
mod snapshots;
mod torture;
mod wal;

use folder::Folder;
use rpol::check;
use rpol::store::{Entry, Sqlite, Store};
use rpol::study::Event;
use std::sync::Arc;

/// An entry that a store takes and that tells itself apart.
fn entry(number: u64) -> Entry {
    let reason = format!("reason {number}: {}", "x".repeat(number as usize % 90));
    Entry { at: 1_700_000_000_000 + number, event: Event::Failed { number, reason } }
}

#[test]
fn it_keeps_the_laws_of_a_store() {
    let folder = Folder::new("laws");
    check::store(&Sqlite::open(&folder.file("a.db"), true).unwrap());
    let shared: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.file("b.db"), true).unwrap());
    check::shared_store(&shared);
}

#[test]
fn its_sqlite_is_one_that_loses_nothing() {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
}
