//! Logs that live as long as the process.

use super::Store;
use crate::error::{Error, Result};
use crate::study::Event;
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
    logs: Mutex<BTreeMap<String, Vec<Event>>>,
}

impl Memory {
    /// A writer that panicked left the logs whole: each change of them is one step.
    fn logs(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Event>>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn studies(&self) -> Result<Vec<String>> {
        Ok(self.logs().keys().cloned().collect())
    }

    fn read(&self, study: &str, from: usize) -> Result<Vec<Event>> {
        let logs = self.logs();
        Ok(logs.get(study).and_then(|log| log.get(from..)).unwrap_or_default().to_vec())
    }

    fn append(&self, study: &str, expected: usize, events: &[Event]) -> Result<()> {
        let mut logs = self.logs();
        let found = logs.get(study).map_or(0, Vec::len);
        if found != expected {
            return Err(Error::Conflict { expected, found });
        }
        if !events.is_empty() {
            logs.entry(study.to_string()).or_default().extend_from_slice(events);
        }
        Ok(())
    }

    fn delete(&self, study: &str) -> Result<bool> {
        Ok(self.logs().remove(study).is_some())
    }
}
