//! Logs in an SQLite database: durable, and shared by processes.
//!
//! One table of events, in WAL mode with `synchronous=FULL`: an ask or a tell is acknowledged after
//! its commit. Every row carries a SHA-256 of itself and the row before it, the table of studies
//! the length and last checksum of each log, and the store the number of its studies. So a changed
//! byte, a lost row, a lost tail or a lost study is an error that names the place. SQLite before
//! 3.51.3 can corrupt a WAL, so the bundled version is checked when a store is opened.

mod failure;
mod handle;
mod holder;
mod open;
mod place;
mod rows;
mod snapshots;
mod turn;
mod wal;

use super::{Entry, Log, Snapshot, Store, Turn};
use crate::error::Result;
use failure::{explained, unusable};
use handle::Handle;
use place::Place;
use rows::{Head, Rows};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in an SQLite database. What was appended is on the disk when the call returns.
///
/// Every entry carries a checksum over itself and all before it, and everything read is checked against it: a read
/// gives what was written, or [`Damaged`](crate::Error::Damaged).
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    /// Apart, so that reading does not wait for a writer.
    reader: Mutex<Connection>,
    writer: Mutex<Connection>,
    /// Ids of the studies seen: who reads on in a log must be told when it is another one by now.
    seen: Mutex<HashMap<String, i64>>,
    /// Where it was opened: looked at before anything is acknowledged.
    place: Place,
    /// Closed after the connections.
    handle: Arc<Handle>,
}

impl Sqlite {
    /// The store in a file, made if there is none and `create` says so.
    pub fn open(path: &Path, create: bool) -> Result<Self> {
        open::check_library(path, rusqlite::version_number())?;
        // SQLite gives names such as `:memory:` a meaning; an absolute path has none.
        let path = std::path::absolute(path).map_err(|e| unusable(path, e.to_string()))?;
        if !path.try_exists().map_err(|e| unusable(&path, e.to_string()))? {
            if !create {
                let problem = "there is no such file: `rpol run` makes one, or give the right path";
                return Err(unusable(&path, problem));
            }
            open::create(&path)?;
        }
        let handle = Handle::of(&path)?;
        open::check_file(&path, &handle)?;
        let end = wal::audit(&path)?;
        let (reader, writer) = (open::connect(&path)?, open::connect(&path)?);
        if end == wal::End::Torn {
            open::start_log_anew(&path, &writer)?;
        }
        // Whatever comes of it, after a read all files are there.
        let _ = rows::names(&reader, &path);
        let place = Place::of(&path);
        let (reader, writer) = (reader.into(), writer.into());
        Ok(Self { path, reader, writer, seen: Mutex::default(), place, handle })
    }

    /// Runs `work` in a transaction that is stored if it goes well.
    fn transact<T>(
        &self,
        connection: &Connection,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let failed = |error: rusqlite::Error| explained(&self.path, &error);
        let transaction = Transaction::new_unchecked(connection, behavior).map_err(failed)?;
        let outcome = work(&transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(outcome)
    }

    fn looking<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.transact(&unpoisoned(&self.reader), TransactionBehavior::Deferred, work)
    }

    fn writing<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let writer = unpoisoned(&self.writer);
        let outcome = self.transact(&writer, TransactionBehavior::Immediate, work)?;
        self.place.check().map(|()| outcome)
    }

    fn rows<'a>(&'a self, connection: &'a Connection, study: &'a str) -> Rows<'a> {
        Rows { connection, path: &self.path, study }
    }

    /// What follows `from` entries that the caller has read before.
    fn read_on(&self, rows: &Rows<'_>, head: Option<Head>, from: usize) -> Result<Vec<Entry>> {
        let mut seen = unpoisoned(&self.seen);
        let before = seen.get(rows.study).copied();
        if from > 0 && before.is_some() && before != head.map(|head| head.id) {
            let problem =
                format!("the study {:?} was deleted by another process: begin anew", rows.study);
            return Err(unusable(&self.path, problem));
        }
        let Some(head) = head else { return Ok(Vec::new()) };
        seen.insert(rows.study.into(), head.id);
        drop(seen);
        rows.read(head, from)
    }
}

/// A transaction that panicked was rolled back.
fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for Sqlite {
    fn studies(&self) -> Result<Vec<String>> {
        self.looking(|connection| rows::names(connection, &self.path))
    }

    fn read(&self, study: &str, from: usize) -> Result<Vec<Entry>> {
        self.looking(|connection| {
            let rows = self.rows(connection, study);
            self.read_on(&rows, rows.head()?, from)
        })
    }

    fn exclusively(
        &self,
        study: &str,
        work: &mut dyn FnMut(&mut dyn Log) -> Result<()>,
    ) -> Result<()> {
        self.writing(|connection| {
            let rows = self.rows(connection, study);
            let head = rows.head()?;
            work(&mut Writing { store: self, rows, head })
        })
    }

    fn snapshot(&self, study: &str) -> Result<Option<(Snapshot, Vec<Entry>)>> {
        self.looking(|connection| {
            let rows = self.rows(connection, study);
            let head = rows.head()?;
            let Some(snapshot) = head.and_then(|head| rows.snapshot(head)) else { return Ok(None) };
            let entries = self.read_on(&rows, head, snapshot.position)?;
            Ok(Some((snapshot, entries)))
        })
    }

    fn keep(&self, study: &str, snapshot: &Snapshot) {
        let mut writer = unpoisoned(&self.writer);
        // Nobody waits for what is not needed.
        if writer.busy_handler(None::<fn(i32) -> bool>).is_ok() {
            // What cannot be kept is not: the log says the same.
            let _ = self.transact(&writer, TransactionBehavior::Immediate, |connection| {
                let rows = self.rows(connection, study);
                rows.head()?.map_or(Ok(()), |head| rows.keep(head, snapshot))
            });
        }
        let _ = open::wait_for_others(&mut writer);
    }

    fn turn(&self) -> Option<Turn> {
        turn::take(&self.handle)
    }

    fn faults(&self) -> Result<Vec<String>> {
        self.looking(|connection| {
            let checked = || -> rusqlite::Result<Vec<String>> {
                let mut statement = connection.prepare("PRAGMA integrity_check")?;
                statement.query_map([], |row| row.get(0))?.collect()
            };
            let lines = checked().map_err(|error| explained(&self.path, &error))?;
            Ok(lines.into_iter().filter(|line| line != "ok").collect())
        })
    }

    fn delete(&self, study: &str) -> Result<bool> {
        self.writing(|connection| {
            let rows = self.rows(connection, study);
            let head = rows.head()?;
            head.map_or(Ok(()), |head| rows.delete(head))?;
            Ok(head.is_some())
        })
    }
}

/// A study's log within a transaction.
struct Writing<'a> {
    store: &'a Sqlite,
    rows: Rows<'a>,
    head: Option<Head>,
}

impl Log for Writing<'_> {
    fn length(&mut self) -> Result<usize> {
        Ok(self.head.map_or(0, |head| head.length))
    }

    fn read(&mut self, from: usize) -> Result<Vec<Entry>> {
        self.store.read_on(&self.rows, self.head, from)
    }

    fn append(&mut self, entries: &[Entry]) -> Result<()> {
        self.head = self.rows.append(self.head, entries)?;
        if let Some(head) = self.head {
            unpoisoned(&self.store.seen).insert(self.rows.study.into(), head.id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Event;

    #[test]
    fn an_sqlite_that_may_lose_data_is_refused() {
        let check = |version| open::check_library(Path::new("a.db"), version);
        assert!(check(3_051_002).unwrap_err().to_string().contains("SQLite 3051002"));
        assert_eq!(check(3_051_003), Ok(()));
    }

    #[test]
    fn a_full_disk_is_said_to_be_and_nothing_is_written() {
        let name = format!("rpol-full-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let store = Sqlite::open(&folder.join("a.db"), true).unwrap();
        let entry = |length| {
            let event = Event::Failed { number: 0, reason: "x".repeat(length) };
            Entry { at: 0, event }
        };
        store.append("s", 0, &[entry(10)]).unwrap();
        let limit = |pages: u32| {
            let writer = unpoisoned(&store.writer);
            writer.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
        };
        limit(8);
        let error = store.append("s", 1, &[entry(10), entry(100_000)]).unwrap_err();
        assert_eq!(error.kind(), "Storage");
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(store.read("s", 0).unwrap(), [entry(10)]);
        limit(1000);
        store.append("s", 1, &[entry(100_000)]).unwrap();
        assert_eq!(store.read("s", 1).unwrap(), [entry(100_000)]);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
