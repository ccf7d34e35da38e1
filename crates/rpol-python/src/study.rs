//! A study in the hands of Python threads.

use crate::convert;
use crate::failure::{Failure, checked, guarded};
use crate::picture;
use crate::process::{self, Opening};
use crate::spec::written;
use crate::trial::{rows, rows_of};
use pyo3::prelude::*;
use rpol::store::{Entry, Memory, Shared, Store, now};
use rpol::study::{Account, Study, Suggestion, Told};
use rpol::{Error, Params, Spec};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// A study, shared by threads and, where it is stored, by processes.
///
/// Every call lets go of the GIL before it waits for the lock, so no two threads can wait for each other.
#[pyclass(frozen, module = "rpol._rpol")]
pub(crate) struct NativeStudy {
    name: String,
    store: Arc<dyn Store>,
    opener: u32,
    shared: Mutex<Shared>,
}

/// The account of a constraint, with the metric it limits.
#[derive(Serialize)]
struct Booked<'a> {
    metric: &'a str,
    #[serde(flatten)]
    account: Account,
}

impl NativeStudy {
    fn new(store: Arc<dyn Store>, shared: Shared) -> Self {
        let name = shared.study().spec().name.clone();
        Self { name, store, opener: std::process::id(), shared: Mutex::new(shared) }
    }

    /// Works on the study; nobody else does meanwhile.
    fn with<T: Send>(
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
    fn look<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&Shared) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.with(py, |shared| {
            shared.refresh()?;
            look(shared)
        })
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnMut(&mut Study) -> rpol::Result<T> + Send,
    ) -> PyResult<T> {
        self.with(py, |shared| Ok(shared.change(change)?))
    }

    /// Asks, and says of the new trials all there is to say.
    fn asked(
        &self,
        py: Python<'_>,
        mut ask: impl FnMut(&mut Study) -> rpol::Result<Vec<Suggestion>> + Send,
    ) -> PyResult<String> {
        self.with(py, |shared| {
            let asked = shared.change(&mut ask)?;
            written(&rows_of(shared, asked.iter().map(|s| s.number)))
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

#[pymethods]
impl NativeStudy {
    /// Begins a study; with `resume`, one of the same name and definition is gone on with.
    #[staticmethod]
    #[pyo3(signature = (spec, storage, resume, /))]
    fn create(py: Python<'_>, spec: &str, storage: Option<&str>, resume: bool) -> PyResult<Self> {
        guarded(py, || {
            let spec = Spec::from_json(spec)?;
            let store: Arc<dyn Store> = match storage {
                Some(url) => process::open(url, Opening::New)?,
                None => Arc::new(Memory::default()),
            };
            if !resume {
                begin(&*store, &spec)?;
            }
            let shared = Shared::open(store.clone(), spec)?;
            Ok(Self::new(store, shared))
        })
    }

    /// The study of that name in a store.
    #[staticmethod]
    #[pyo3(signature = (name, storage, /))]
    fn load(py: Python<'_>, name: &str, storage: &str) -> PyResult<Self> {
        guarded(py, || {
            let store = process::open(storage, Opening::Existing)?;
            let shared = Shared::load(store.clone(), name)?;
            Ok(Self::new(store, shared))
        })
    }

    /// A study in memory with this log.
    #[staticmethod]
    #[pyo3(signature = (log, /))]
    fn replay(py: Python<'_>, log: &str) -> PyResult<Self> {
        guarded(py, || {
            let read =
                |e: serde_json::Error| Error::InvalidLog { position: 0, problem: e.to_string() };
            let entries: Vec<Entry> = serde_json::from_str(log).map_err(read)?;
            let study = Study::replay(entries.iter().map(|entry| entry.event.clone()).collect())?;
            let (name, store) = (study.spec().name.clone(), Arc::new(Memory::default()));
            store.append(&name, 0, &entries)?;
            let shared = Shared::load(store.clone(), &name)?;
            Ok(Self::new(store, shared))
        })
    }

    /// Everything that happened, as JSON.
    fn log(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| {
            let entry =
                |(event, at): (&rpol::study::Event, &u64)| Entry { at: *at, event: event.clone() };
            let entries = shared.study().log().iter().zip(shared.times()).map(entry);
            written(&entries.collect::<Vec<_>>())
        })
    }

    /// The definition, as JSON.
    fn spec(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |shared| written(shared.study().spec()))
    }

    /// So many settings to try, as a JSON list of trials.
    #[pyo3(signature = (count, /))]
    fn ask(&self, py: Python<'_>, count: &Bound<'_, PyAny>) -> PyResult<String> {
        let count = checked(py, convert::count(count))?;
        self.asked(py, |study| study.ask_many(count))
    }

    /// A trial of a setting of one's own, as a JSON list of one.
    #[pyo3(signature = (params, /))]
    fn ask_for(&self, py: Python<'_>, params: &Bound<'_, PyAny>) -> PyResult<String> {
        let params = checked(py, convert::params(params))?;
        self.asked(py, |study| Ok(vec![study.ask_for(params.clone())?]))
    }

    /// A trial for a worker, for so many seconds: one whose worker fell silent, or a new one. A JSON list of one.
    #[pyo3(signature = (worker, seconds, /))]
    fn issue(&self, py: Python<'_>, worker: &str, seconds: u64) -> PyResult<String> {
        self.with(py, |shared| {
            let issued = shared.issue(worker, Duration::from_secs(seconds), |_| false)?;
            written(&rows_of(shared, [issued.suggestion.number]))
        })
    }

    /// Says that a worker is still at a trial.
    #[pyo3(signature = (number, worker, seconds, /))]
    fn renew(&self, py: Python<'_>, number: u64, worker: &str, seconds: u64) -> PyResult<()> {
        self.with(py, |shared| Ok(shared.renew(number, worker, Duration::from_secs(seconds))?))
    }

    /// Records metrics of a trial; whether any of them was new.
    #[pyo3(signature = (number, metrics, /))]
    fn tell(
        &self,
        py: Python<'_>,
        number: &Bound<'_, PyAny>,
        metrics: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let number = checked(py, convert::trial_number(number))?;
        let metrics = checked(py, convert::metrics(metrics))?;
        let told = self.change(py, |study| study.tell(number, metrics.clone()))?;
        Ok(told == Told::New)
    }

    /// Adds history; its number.
    #[pyo3(signature = (params, metrics, /))]
    fn add(
        &self,
        py: Python<'_>,
        params: &Bound<'_, PyAny>,
        metrics: &Bound<'_, PyAny>,
    ) -> PyResult<u64> {
        let params = checked(py, convert::params(params))?;
        let metrics = checked(py, convert::metrics(metrics))?;
        self.change(py, |study| study.add(params.clone(), metrics.clone()))
    }

    /// Replaces told metrics.
    #[pyo3(signature = (number, metrics, /))]
    fn correct(
        &self,
        py: Python<'_>,
        number: &Bound<'_, PyAny>,
        metrics: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let number = checked(py, convert::trial_number(number))?;
        let metrics = checked(py, convert::metrics(metrics))?;
        self.change(py, |study| study.correct(number, metrics.clone()))
    }

    /// Notes that a trial gave no result.
    #[pyo3(signature = (number, reason, /))]
    fn fail(&self, py: Python<'_>, number: &Bound<'_, PyAny>, reason: &str) -> PyResult<()> {
        let number = checked(py, convert::trial_number(number))?;
        self.change(py, |study| study.fail(number, reason))
    }

    /// Takes a trial's metrics out of everything.
    #[pyo3(signature = (number, reason, /))]
    fn void(&self, py: Python<'_>, number: &Bound<'_, PyAny>, reason: &str) -> PyResult<()> {
        let number = checked(py, convert::trial_number(number))?;
        self.change(py, |study| study.void(number, reason))
    }

    /// Every trial, as JSON.
    fn trials(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| written(&rows(shared)))
    }

    /// The best feasible trial, as a JSON list of one or none.
    fn best_trial(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| {
            written(&rows_of(shared, shared.study().best_trial().map(|trial| trial.number)))
        })
    }

    /// What to run now, as JSON.
    fn incumbent(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| written(&shared.study().incumbent()))
    }

    /// The constraints, as written.
    fn limits(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let limits = |shared: &mut Shared| {
            shared.study().spec().constraints.iter().map(ToString::to_string).collect()
        };
        self.with(py, |shared| Ok(limits(shared)))
    }

    /// The account of every constraint, as JSON.
    fn ledger(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| {
            let study = shared.study();
            let metrics = study.spec().constraints.iter().map(|limit| limit.metric());
            let booked = |(metric, account)| Booked { metric, account };
            written(&metrics.zip(study.ledger()).map(booked).collect::<Vec<_>>())
        })
    }

    /// Where the study stands, as JSON.
    fn status(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |shared| written(&shared.study().status()))
    }

    /// What the models believe of settings, as JSON; `null` while there is no model.
    #[pyo3(signature = (settings, /))]
    fn predict(&self, py: Python<'_>, settings: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
        let settings: Result<Vec<Params>, Failure> = settings.iter().map(convert::params).collect();
        let settings = checked(py, settings)?;
        self.look(py, |shared| written(&shared.study().predict(&settings)?))
    }

    /// A picture as SVG.
    #[pyo3(signature = (kind, params, /))]
    fn picture(&self, py: Python<'_>, kind: &str, params: Vec<String>) -> PyResult<String> {
        self.look(py, |shared| picture::drawn(shared, kind, &params))
    }

    /// Panics in the middle of a change: for the test of what becomes of that.
    fn _break_down(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |study| {
            study.ask()?;
            panic!("as asked")
        })
    }
}

/// Writes the first entry of a study that must be new.
fn begin(store: &dyn Store, spec: &Spec) -> Result<(), Failure> {
    let study = Study::create(spec.clone())?;
    let first = |event: &rpol::study::Event| Entry { at: now(), event: event.clone() };
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
