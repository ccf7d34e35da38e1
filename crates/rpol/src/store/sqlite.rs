//! Logs in an SQLite database: durable, and shared by processes.

use super::{Entry, Log, Store};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// A store in an SQLite database.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
}

impl Sqlite {
    /// The store in a file, made if there is none and `create` says so.
    pub fn open(path: &Path, _create: bool) -> Result<Self> {
        Ok(Self { path: path.into() })
    }

    fn todo<T>(&self) -> Result<T> {
        let place = self.path.display().to_string();
        Err(Error::Storage { place, problem: "not there yet".into() })
    }
}

impl Store for Sqlite {
    fn studies(&self) -> Result<Vec<String>> {
        self.todo()
    }

    fn read(&self, _study: &str, _from: usize) -> Result<Vec<Entry>> {
        self.todo()
    }

    fn exclusively(
        &self,
        _study: &str,
        _work: &mut dyn FnMut(&mut dyn Log) -> Result<()>,
    ) -> Result<()> {
        self.todo()
    }

    fn delete(&self, _study: &str) -> Result<bool> {
        self.todo()
    }
}
