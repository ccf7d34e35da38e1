//! The rows of one study, read and written within a transaction.

use super::failure::{damaged, explained};
use crate::error::{Error, Result};
use crate::store::Entry;
use crate::store::chain::Chain;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::Path;

/// A study's part of a database. Whatever is read is checked: positions, chain, length and head.
pub(super) struct Rows<'a> {
    pub(super) connection: &'a Connection,
    pub(super) path: &'a Path,
    pub(super) study: &'a str,
}

/// What the list of studies says of one.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Given once: a study created again after its deletion has another.
    pub(super) id: i64,
    pub(super) length: usize,
    chain: Chain,
}

impl Rows<'_> {
    pub(super) fn head(&self) -> Result<Option<Head>> {
        let sql = "SELECT id, length, head FROM studies WHERE name = ?1";
        let head = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([self.study], head).optional())
            .map_err(|error| self.explained(&error))?;
        if head.is_none() && names(self.connection, self.path)?.iter().any(|n| n == self.study) {
            return Err(self.damaged("it is listed but not found"));
        }
        Ok(head)
    }

    /// The entries from a position on.
    pub(super) fn read(&self, head: Head, from: usize) -> Result<Vec<Entry>> {
        if from > head.length {
            return Ok(Vec::new());
        }
        let mut chain = self.chain_before(head, from)?;
        let sql = "SELECT position, at, event, chain FROM events WHERE study = ?1 AND position >= ?2 ORDER BY position";
        let explained = |error: rusqlite::Error| self.explained(&error);
        let mut statement = self.connection.prepare_cached(sql).map_err(explained)?;
        let mut rows = statement.query(params![head.id, from as i64]).map_err(explained)?;
        let mut entries = Vec::new();
        while let Some(row) = rows.next().map_err(explained)? {
            let position = from + entries.len();
            let (entry, next) = self.entry(row, position, chain)?;
            entries.push(entry);
            chain = next;
        }
        let found = from + entries.len();
        if found != head.length {
            let problem = format!("it has {found} entries where {} were stored", head.length);
            return Err(self.damaged(&problem));
        }
        if chain != head.chain {
            return Err(self.damaged(&format!("the checksum of all {found} entries does not fit")));
        }
        Ok(entries)
    }

    pub(super) fn chain_before(&self, head: Head, from: usize) -> Result<Chain> {
        if from == 0 {
            return Ok(Chain::of_study(self.study));
        }
        let sql = "SELECT chain FROM events WHERE study = ?1 AND position = ?2";
        let found = self.connection.prepare_cached(sql).and_then(|mut statement| {
            statement.query_row(params![head.id, from as i64 - 1], |row| row.get(0)).optional()
        });
        found
            .map_err(|error| self.explained(&error))?
            .ok_or_else(|| self.damaged(&format!("entry {} is missing", from - 1)))
    }

    fn entry(&self, row: &Row<'_>, position: usize, before: Chain) -> Result<(Entry, Chain)> {
        let parts = || -> rusqlite::Result<(i64, i64, String, Chain)> {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        };
        let (found, at, event, chain) = parts().map_err(|error| self.explained(&error))?;
        if found != position as i64 {
            return Err(self.damaged(&format!("entry {found} comes where {position} should")));
        }
        let at = at as u64;
        if before.then(position, at, &event) != chain {
            return Err(self.damaged(&format!("the checksum of entry {position} does not fit")));
        }
        let event = serde_json::from_str(&event)
            .map_err(|error| self.damaged(&format!("entry {position} is not an event: {error}")))?;
        Ok((Entry { at, event }, chain))
    }

    /// Puts entries at the end; the study is made where it does not exist.
    pub(super) fn append(&self, head: Option<Head>, entries: &[Entry]) -> Result<Option<Head>> {
        if entries.is_empty() {
            return Ok(head);
        }
        let mut head = match head {
            Some(head) => head,
            None => self.begin()?,
        };
        for entry in entries {
            head = self.push(head, entry)?;
        }
        self.change(
            "UPDATE studies SET length = ?2, head = ?3 WHERE name = ?1",
            params![self.study, head.length as i64, head.chain],
        )?;
        Ok(Some(head))
    }

    fn begin(&self) -> Result<Head> {
        let mut names = names(self.connection, self.path)?;
        names.push(self.study.to_string());
        names.sort_unstable();
        let id = self.next_id()?;
        let head = Head { id, length: 0, chain: Chain::of_study(self.study) };
        self.change(
            "INSERT INTO studies VALUES (?1, ?2, 0, ?3)",
            params![self.study, id, head.chain],
        )?;
        self.list(id + 1, &names)?;
        Ok(head)
    }

    fn push(&self, head: Head, entry: &Entry) -> Result<Head> {
        let Head { id, length, chain } = head;
        let event = serde_json::to_string(&entry.event).map_err(|error| Error::Storage {
            place: self.place(),
            problem: format!("entry {length} cannot be written: {error}"),
        })?;
        let chain = chain.then(length, entry.at, &event);
        let row = params![id, length as i64, entry.at as i64, event, chain];
        self.change("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5)", row)?;
        Ok(Head { id, length: length + 1, chain })
    }

    /// Removes the study, sound or not.
    pub(super) fn delete(&self, head: Head) -> Result<()> {
        let mut names = names(self.connection, self.path)?;
        names.retain(|name| name != self.study);
        self.execute("DELETE FROM events WHERE study = ?1", params![head.id])?;
        self.drop_snapshot(head.id);
        self.change("DELETE FROM studies WHERE name = ?1", params![self.study])?;
        self.list(self.next_id()?, &names)
    }

    fn next_id(&self) -> Result<i64> {
        self.connection
            .query_row("SELECT next FROM store", [], |row| row.get(0))
            .map_err(|error| self.explained(&error))
    }

    fn list(&self, next: i64, names: &[String]) -> Result<()> {
        let checksum = Chain::of_store(next, names);
        self.change("UPDATE store SET next = ?1, checksum = ?2", params![next, checksum])
    }

    /// Changes a row that must be there.
    fn change(&self, sql: &str, values: impl rusqlite::Params) -> Result<()> {
        match self.execute(sql, values)? {
            1 => Ok(()),
            _ => Err(self.damaged("a row of it is missing")),
        }
    }

    pub(super) fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .map_err(|error| self.explained(&error))
    }

    fn place(&self) -> String {
        format!("{}, study {:?}", self.path.display(), self.study)
    }

    fn damaged(&self, problem: &str) -> Error {
        Error::Damaged { place: self.place(), problem: problem.into() }
    }

    fn explained(&self, error: &rusqlite::Error) -> Error {
        match explained(self.path, error) {
            Error::Damaged { problem, .. } => self.damaged(&problem),
            other => other,
        }
    }
}

fn head(row: &Row<'_>) -> rusqlite::Result<Head> {
    let length: i64 = row.get(1)?;
    Ok(Head { id: row.get(0)?, length: length.max(0) as usize, chain: row.get(2)? })
}

/// Names of the studies in alphabetical order, checked to be all.
pub(super) fn names(connection: &Connection, path: &Path) -> Result<Vec<String>> {
    let listed = || -> rusqlite::Result<(i64, Chain, Vec<String>)> {
        let (next, checksum) = connection
            .prepare_cached("SELECT next, checksum FROM store")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut statement = connection.prepare_cached("SELECT name FROM studies")?;
        let names = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok((next, checksum, names))
    };
    let (next, checksum, mut names) = listed().map_err(|error| explained(path, &error))?;
    names.sort_unstable();
    if Chain::of_store(next, &names) != checksum {
        return Err(damaged(path, "its list of studies does not fit its checksum"));
    }
    Ok(names)
}
