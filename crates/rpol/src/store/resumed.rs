//! A study without reading all of its log: from its last snapshot on.
//!
//! Who needs a study only for a moment, as the verbs of the command line do, need not fold ten
//! thousand trials for it. Snapshots are kept by those who read: whoever has come past a moment that
//! may have one keeps it for the next.

use super::shared::parted;
use super::{Entry, Memory, Moments, Shared, Snapshot, Store};
use crate::error::{Error, Result};
use crate::study::Study;
use std::collections::HashMap;
use std::sync::Arc;

impl Shared {
    /// The study of that name as [`load`](Self::load) gives it, but without what a snapshot in the store stands for: the log
    /// and the trials begin later, as after [`drop_history`](Study::drop_history). A change that needs what is missing reads
    /// it first.
    ///
    /// ```
    /// use rpol::{Spec, store::{Memory, Shared}};
    /// use std::sync::Arc;
    /// let spec = Spec::from_toml("name = 'a'\nobjective = 'y'\n[params]\nx = { type = 'float', low = 0, high = 1 }").unwrap();
    /// let store = Arc::new(Memory::default());
    /// Shared::open(store.clone(), spec).unwrap();
    /// let mut study = Shared::resume(store, "a").unwrap();
    /// assert_eq!(study.change(|s| s.ask()).unwrap().number, 0);
    /// ```
    pub fn resume(store: Arc<dyn Store>, name: &str) -> Result<Self> {
        if let Some((snapshot, entries)) = store.snapshot(name)?
            && let Ok((study, times)) = Study::resume(&snapshot.content, snapshot.position)
        {
            let known = times.into_iter().map(|(number, at)| (number, Moments::from(at))).collect();
            let mut resumed = Self::new(store.clone(), study, Vec::new());
            resumed.resumed = Some(known);
            match resumed.through(entries) {
                // What came later changes the meaning of what it stands for.
                Err(Error::Compacted { .. }) => {}
                outcome => return outcome,
            }
        }
        let mut entries = store.read(name, 0)?;
        if entries.is_empty() {
            return Self::load(store, name);
        }
        let (first, times) = parted(entries.drain(..1).collect());
        Self::new(store, Study::replay(first)?, times).through(entries)
    }

    /// Follows the log to its end, and keeps a snapshot of the last moment on the way that may have one.
    fn through(mut self, mut entries: Vec<Entry>) -> Result<Self> {
        let anew = entries.iter().rposition(|entry| Study::is_summed_up_after(&entry.event));
        let rest = entries.split_off(anew.map_or(0, |place| place + 1));
        // An amendment has the whole log folded again: once is enough.
        if anew.is_some() && !rest.iter().any(|entry| entry.event.amends()) {
            self.fold(entries)?;
            if let Some(snapshot) = self.snapshot() {
                self.store.keep(&self.study.spec().name, &snapshot);
            }
            self.fold(rest)?;
            return Ok(self);
        }
        entries.extend(rest);
        self.fold(entries)?;
        Ok(self)
    }

    fn snapshot(&self) -> Option<Snapshot> {
        let best = self.study.best_trial().map(|best| (best.number, self.moments_of(best.number)));
        let numbers = self.study.trials().iter().map(|trial| trial.number);
        let moments: HashMap<u64, Moments> = numbers.zip(self.moments()).chain(best).collect();
        let at = |number: u64| moments.get(&number).copied().unwrap_or_default().into();
        let content = self.study.snapshot(at)?;
        Some(Snapshot { position: self.study.length(), content })
    }
}

/// Whether the snapshot of a study says what its log does; true where there is none, or one of another build.
///
/// # Errors
/// Where the log cannot be read.
pub fn check_snapshot(store: &dyn Store, name: &str) -> Result<bool> {
    let Some((kept, _)) = store.snapshot(name)? else { return Ok(true) };
    if Study::resume(&kept.content, kept.position).is_err() {
        return Ok(true);
    }
    let mut entries = store.read(name, 0)?;
    entries.truncate(kept.position);
    let (log, times) = parted(entries);
    let found = Shared::new(Arc::new(Memory::default()), Study::replay(log)?, times).snapshot();
    Ok(found == Some(kept))
}
