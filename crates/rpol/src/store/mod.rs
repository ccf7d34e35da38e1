//! Where logs are kept.
//!
//! A store knows nothing of optimisation: it appends entries to a study's log and reads them back. An
//! append carries the length the writer believes the log to have; where another writer was faster it is
//! a [`Conflict`](crate::Error::Conflict), and the writer reads on and decides again.

mod chain;
mod export;
mod lease;
mod memory;
mod moment;
mod network;
mod resumed;
mod row;
mod shared;
#[cfg(feature = "sqlite")]
mod sqlite;
mod worker;

pub use export::{Export, Exported};
pub use lease::standing;
pub use memory::Memory;
pub use moment::rfc3339;
pub use network::network_warning;
pub use resumed::check_snapshot;
pub use row::Row;
pub use shared::{Issued, Moments, Shared};
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
pub use worker::Worker;

use crate::error::{Error, Result};
use crate::study::Event;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// One event of a log, and when it was written.
///
/// The time is for people and for leases; no decision depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds since the beginning of 1970, UTC.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What every store can do. Shared by threads; a durable one by processes too.
pub trait Store: Send + Sync {
    /// Names of the studies, in alphabetical order.
    fn studies(&self) -> Result<Vec<String>>;

    /// The entries of a study from position `from` on; empty for a study that does not exist.
    fn read(&self, study: &str, from: usize) -> Result<Vec<Entry>>;

    /// Runs `work` on a study's log while no other writer can append to it. What `work` appends is stored as a
    /// whole once it returns, and not at all where it fails.
    fn exclusively(
        &self,
        study: &str,
        work: &mut dyn FnMut(&mut dyn Log) -> Result<()>,
    ) -> Result<()>;

    /// Removes a study; whether there was one.
    fn delete(&self, study: &str) -> Result<bool>;

    /// The last [kept](Self::keep) snapshot of a study that fits its log, and the entries after it; `None` where there is none.
    fn snapshot(&self, _study: &str) -> Result<Option<(Snapshot, Vec<Entry>)>> {
        Ok(None)
    }

    /// Keeps a snapshot in place of an older one. It only saves reading: a store may lose it at any time, and this neither
    /// waits for others nor fails.
    fn keep(&self, _study: &str, _snapshot: &Snapshot) {}

    /// One's turn to decide, where others decide as well: waited for a moment, and only advice, since an append is conditional.
    /// `None` where it does not come, or where there are no turns.
    fn turn(&self) -> Option<Turn> {
        None
    }

    /// What is wrong with the store as a whole; what is wrong with a log, [`read`](Self::read) says.
    fn faults(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Appends all `entries` or none, where the log has exactly `expected` of them.
    ///
    /// # Errors
    /// [`Conflict`](Error::Conflict) where it has another length; nothing is written then.
    fn append(&self, study: &str, expected: usize, entries: &[Entry]) -> Result<()> {
        self.exclusively(study, &mut |log| {
            let found = log.length()?;
            if found != expected {
                return Err(Error::Conflict { expected, found });
            }
            log.append(entries)
        })
    }
}

/// One's turn, over when it is dropped.
pub struct Turn(#[allow(dead_code)] Box<dyn Any>); // held until it is dropped

impl Turn {
    /// Over when `held` is dropped.
    pub fn new(held: impl Any) -> Self {
        Self(Box::new(held))
    }
}

/// What the first entries of a log add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// How many entries.
    pub position: usize,
    /// What they add up to; a store need not understand it.
    pub content: Vec<u8>,
}

/// A study's log in the hands of its only writer.
pub trait Log {
    /// How many entries it has; 0 for a study that does not exist.
    fn length(&mut self) -> Result<usize>;

    /// The entries from position `from` on.
    fn read(&mut self, from: usize) -> Result<Vec<Entry>>;

    /// Puts `entries` at its end.
    fn append(&mut self, entries: &[Entry]) -> Result<()>;
}

/// The path in a store's address: `sqlite:///path.db`, relative to the working folder, `sqlite:////absolute/path.db`, or
/// the path alone.
///
/// ```
/// use rpol::store::path;
/// assert_eq!(path("sqlite:///rpol.db").unwrap(), path("rpol.db").unwrap());
/// assert!(path("postgresql://host/db").is_err());
/// ```
pub fn path(address: &str) -> Result<&str> {
    let storage = |problem: &str| Error::Storage { place: address.into(), problem: problem.into() };
    let path = match address.strip_prefix("sqlite:///") {
        Some(path) => path,
        None if address.is_empty() || address.starts_with("sqlite:") || address.contains("://") => {
            let problem = "this is no address of a store: give a path, or sqlite:///path.db";
            return Err(storage(problem));
        }
        None => address,
    };
    match path.is_empty() {
        true => Err(storage("there is no path in it: give sqlite:///path.db")),
        false => Ok(path),
    }
}

/// The store at an [address](path), made if there is none.
pub fn open(url: &str) -> Result<Arc<dyn Store>> {
    connect(url, true)
}

/// As [`open`], for a store that must be there already.
pub fn open_existing(url: &str) -> Result<Arc<dyn Store>> {
    connect(url, false)
}

fn connect(url: &str, create: bool) -> Result<Arc<dyn Store>> {
    let path = path(url)?;
    #[cfg(feature = "sqlite")]
    return Ok(Arc::new(Sqlite::open(std::path::Path::new(path), create)?));
    #[cfg(not(feature = "sqlite"))]
    {
        let _ = create;
        let problem = "this build has no SQLite: build rpol with the feature `sqlite`";
        Err(Error::Storage { place: path.into(), problem: problem.into() })
    }
}

/// Milliseconds since the beginning of 1970, UTC.
#[must_use]
pub fn now() -> u64 {
    // A clock before 1970 is no reason to stop.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
