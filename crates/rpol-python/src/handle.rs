//! A study behind a lock, and what it takes to open one.

use crate::failure::{Failure, guarded};
use crate::process::{self, Opening};
use crate::trial;
use pyo3::prelude::*;
use rpol::store::{Entry, Memory, Shared, Store, now};
use rpol::study::{Event, Study, Suggestion};
use rpol::{Error, Spec};
use std::sync::{Arc, Mutex, MutexGuard};

/// A study, shared by threads and, where it is stored, by processes.
///
/// Every call lets go of the GIL before it waits for the lock, so no two threads can wait for each other.
pub(crate) struct Handle {
    name: String,
    store: Arc<dyn Store>,
    opener: u32,
    shared: Mutex<Shared>,
}

impl Handle {
    /// Begins a study; with `resume`, one of the same name and definition is gone on with.
    pub(crate) fn create(spec: Spec, storage: Option<&str>, resume: bool) -> Result<Self, Failure> {
        let store: Arc<dyn Store> = match storage {
            Some(url) => process::open(url, Opening::New)?,
            None => Arc::new(Memory::default()),
        };
        if !resume {
            begin(&*store, &spec)?;
        }
        let shared = Shared::open(store.clone(), spec)?;
        Ok(Self::new(store, shared))
    }

    /// The study of that name in a store.
    pub(crate) fn load(name: &str, storage: &str) -> Result<Self, Failure> {
        let store = process::open(storage, Opening::Existing)?;
        let shared = Shared::load(store.clone(), name)?;
        Ok(Self::new(store, shared))
    }

    /// A study in memory with this log.
    pub(crate) fn replay(log: &str) -> Result<Self, Failure> {
        let unread =
            |e: serde_json::Error| Error::InvalidLog { position: 0, problem: e.to_string() };
        let entries: Vec<Entry> = serde_json::from_str(log).map_err(unread)?;
        let study = Study::replay(entries.iter().map(|entry| entry.event.clone()).collect())?;
        let (name, store) = (study.spec().name.clone(), Arc::new(Memory::default()));
        store.append(&name, 0, &entries)?;
        let shared = Shared::load(store.clone(), &name)?;
        Ok(Self::new(store, shared))
    }

    fn new(store: Arc<dyn Store>, shared: Shared) -> Self {
        let name = shared.study().spec().name.clone();
        Self { name, store, opener: std::process::id(), shared: Mutex::new(shared) }
    }

    /// Works on the study; nobody else does meanwhile.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Shared) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        guarded(py, || {
            process::must_be(self.opener)?;
            work(&mut *self.locked()?)
        })
    }

    /// Looks at the study with all that others have written.
    pub(crate) fn look<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&Shared) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.with(py, |shared| {
            shared.refresh()?;
            look(shared)
        })
    }

    pub(crate) fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnMut(&mut Study) -> rpol::Result<T> + Send,
    ) -> PyResult<T> {
        self.with(py, |shared| Ok(shared.change(change)?))
    }

    /// Asks, and says of the new trials all there is to say.
    pub(crate) fn asked(
        &self,
        py: Python<'_>,
        mut ask: impl FnMut(&mut Study) -> rpol::Result<Vec<Suggestion>> + Send,
    ) -> PyResult<String> {
        self.with(py, |shared| {
            let asked = shared.change(&mut ask)?;
            trial::of(shared, asked.iter().map(|s| s.number))
        })
    }

    fn locked(&self) -> Result<MutexGuard<'_, Shared>, Failure> {
        self.shared.lock().or_else(|poisoned| {
            // A panic may have left it half changed; the store has what was acknowledged.
            let mut shared = poisoned.into_inner();
            *shared = Shared::load(self.store.clone(), &self.name)?;
            self.shared.clear_poison();
            Ok(shared)
        })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if process::must_be(self.opener).is_err() {
            // Closing a database that a fork inherited would touch the files of its parent: it stays open.
            std::mem::forget(self.store.clone());
        }
    }
}

/// Writes the first entry of a study that must be new.
fn begin(store: &dyn Store, spec: &Spec) -> Result<(), Failure> {
    let study = Study::create(spec.clone())?;
    let first = |event: &Event| Entry { at: now(), event: event.clone() };
    let entries: Vec<Entry> = study.log().iter().map(first).collect();
    match store.append(&spec.name, 0, &entries) {
        Err(Error::Conflict { .. }) => {
            let name = &spec.name;
            let message = format!(
                "a study named {name:?} is there already: load it, or give load_if_exists=True"
            );
            Err(Failure::new("StudyExists", message))
        }
        other => Ok(other?),
    }
}
