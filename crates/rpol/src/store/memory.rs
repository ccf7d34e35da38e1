//! Logs that live as long as the process.

use super::{Entry, Log, Store};
use crate::error::Result;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A store in memory.
///
/// ```
/// use rpol::store::{Memory, Store};
/// let store = Memory::default();
/// assert!(store.studies().unwrap().is_empty());
/// rpol::check::store(&store);
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    logs: Mutex<Logs>,
}

type Logs = BTreeMap<String, Vec<Entry>>;

/// A log and what is to follow it, once the work on it has gone well.
struct Draft<'a> {
    stored: &'a [Entry],
    new: Vec<Entry>,
}

impl Memory {
    /// A writer that panicked left the logs whole: each change of them is one step.
    fn logs(&self) -> MutexGuard<'_, Logs> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn studies(&self) -> Result<Vec<String>> {
        Ok(self.logs().keys().cloned().collect())
    }

    fn read(&self, study: &str, from: usize) -> Result<Vec<Entry>> {
        let logs = self.logs();
        Ok(logs.get(study).and_then(|log| log.get(from..)).unwrap_or_default().to_vec())
    }

    fn exclusively(
        &self,
        study: &str,
        work: &mut dyn FnMut(&mut dyn Log) -> Result<()>,
    ) -> Result<()> {
        let mut logs = self.logs();
        let stored = logs.get(study).map_or(&[][..], Vec::as_slice);
        let mut draft = Draft { stored, new: Vec::new() };
        work(&mut draft)?;
        let new = draft.new;
        if !new.is_empty() {
            logs.entry(study.to_string()).or_default().extend(new);
        }
        Ok(())
    }

    fn delete(&self, study: &str) -> Result<bool> {
        Ok(self.logs().remove(study).is_some())
    }
}

impl Log for Draft<'_> {
    fn length(&mut self) -> Result<usize> {
        Ok(self.stored.len() + self.new.len())
    }

    fn read(&mut self, from: usize) -> Result<Vec<Entry>> {
        Ok(self.stored.iter().chain(&self.new).skip(from).cloned().collect())
    }

    fn append(&mut self, entries: &[Entry]) -> Result<()> {
        self.new.extend_from_slice(entries);
        Ok(())
    }
}
