//! A study in the hands of Python.

use crate::convert;
use crate::failure::{Failure, checked, guarded};
use crate::handle::Handle;
use crate::picture;
use crate::prediction;
use crate::spec::written;
use crate::trial;
use pyo3::prelude::*;
use rpol::study::{Account, Told};
use rpol::{Params, Spec};
use serde::Serialize;
use std::time::Duration;

/// A study; what is structured goes in and out as JSON.
#[pyclass(frozen, module = "rpol._rpol")]
pub(crate) struct NativeStudy {
    handle: Handle,
}

/// The account of a constraint, with the metric it limits.
#[derive(Serialize)]
struct Booked<'a> {
    metric: &'a str,
    #[serde(flatten)]
    account: Account,
}

#[pymethods]
impl NativeStudy {
    /// Begins a study; with `resume`, one of the same name and definition is gone on with.
    #[staticmethod]
    #[pyo3(signature = (spec, storage, resume, /))]
    fn create(py: Python<'_>, spec: &str, storage: Option<&str>, resume: bool) -> PyResult<Self> {
        let handle = guarded(py, || Handle::create(Spec::from_json(spec)?, storage, resume))?;
        Ok(Self { handle })
    }

    /// The study of that name in a store.
    #[staticmethod]
    #[pyo3(signature = (name, storage, /))]
    fn load(py: Python<'_>, name: &str, storage: &str) -> PyResult<Self> {
        Ok(Self { handle: guarded(py, || Handle::load(name, storage))? })
    }

    /// A study in memory with this log.
    #[staticmethod]
    #[pyo3(signature = (log, /))]
    fn replay(py: Python<'_>, log: &str) -> PyResult<Self> {
        Ok(Self { handle: guarded(py, || Handle::replay(log))? })
    }

    /// Everything that happened, as JSON.
    fn log(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.look(py, |shared| written(&shared.entries()))
    }

    /// The definition, as JSON.
    fn spec(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.with(py, |shared| written(shared.study().spec()))
    }

    /// So many settings to try, as a JSON list of trials.
    #[pyo3(signature = (count, /))]
    fn ask(&self, py: Python<'_>, count: &Bound<'_, PyAny>) -> PyResult<String> {
        let count = checked(py, convert::count(count))?;
        self.handle.asked(py, |study| study.ask_many(count))
    }

    /// A trial of a setting of one's own, as a JSON list of one.
    #[pyo3(signature = (params, /))]
    fn ask_for(&self, py: Python<'_>, params: &Bound<'_, PyAny>) -> PyResult<String> {
        let params = checked(py, convert::params(params))?;
        self.handle.asked(py, |study| Ok(vec![study.ask_for(params.clone())?]))
    }

    /// A trial for a worker, for so many seconds: one whose worker fell silent, or a new one. A JSON list of one.
    #[pyo3(signature = (worker, seconds, /))]
    fn issue(&self, py: Python<'_>, worker: &str, seconds: u64) -> PyResult<String> {
        self.handle.with(py, |shared| {
            let issued = shared.issue(worker, Duration::from_secs(seconds))?;
            trial::of(shared, [issued.suggestion.number])
        })
    }

    /// Says that a worker is still at a trial.
    #[pyo3(signature = (number, worker, seconds, /))]
    fn renew(&self, py: Python<'_>, number: u64, worker: &str, seconds: u64) -> PyResult<()> {
        self.handle
            .with(py, |shared| Ok(shared.renew(number, worker, Duration::from_secs(seconds))?))
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
        let told = self.handle.change(py, |study| study.tell(number, metrics.clone()))?;
        Ok(told != Told::Repeated)
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
        self.handle.change(py, |study| study.add(params.clone(), metrics.clone()))
    }

    /// Adds what is new of a history, all of it or nothing; the numbers.
    #[pyo3(signature = (trials, /))]
    fn add_new(&self, py: Python<'_>, trials: Vec<convert::Given<'_>>) -> PyResult<Vec<u64>> {
        let rows: Vec<usize> = trials.iter().map(|trial| trial.0).collect();
        let trials = checked(py, convert::history(&trials))?;
        self.handle.with(py, |shared| {
            let added = shared.change(|study| Ok(study.add_new(&trials)))?;
            added.map_err(|(place, error)| Failure::from(error).at(rows[place]))
        })
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
        self.handle.change(py, |study| study.correct(number, metrics.clone()))
    }

    /// Notes that a trial gave no result.
    #[pyo3(signature = (number, reason, /))]
    fn fail(&self, py: Python<'_>, number: &Bound<'_, PyAny>, reason: &str) -> PyResult<()> {
        let number = checked(py, convert::trial_number(number))?;
        self.handle.change(py, |study| study.fail(number, reason))
    }

    /// Takes a trial's metrics out of everything.
    #[pyo3(signature = (number, reason, /))]
    fn void(&self, py: Python<'_>, number: &Bound<'_, PyAny>, reason: &str) -> PyResult<()> {
        let number = checked(py, convert::trial_number(number))?;
        self.handle.change(py, |study| study.void(number, reason))
    }

    /// Every trial, as JSON.
    fn trials(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.look(py, trial::all)
    }

    /// The trial of that number, as a JSON list of one.
    #[pyo3(signature = (number, /))]
    fn trial(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = checked(py, convert::trial_number(number))?;
        self.handle.look(py, |shared| trial::of(shared, [number]))
    }

    /// The best feasible trial, as a JSON list of one or none.
    fn best_trial(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.look(py, |shared| {
            trial::of(shared, shared.study().best_trial().map(|trial| trial.number))
        })
    }

    /// What to run now and why, as JSON and in words; nothing before anything was measured.
    fn recommendation(&self, py: Python<'_>) -> PyResult<Option<(String, String)>> {
        self.handle.look(py, |shared| {
            let recommended = shared.study().recommendation()?;
            recommended.map(|found| Ok((written(&found)?, found.to_string()))).transpose()
        })
    }

    /// What to run now, as JSON.
    fn incumbent(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.look(py, |shared| written(&shared.study().incumbent()?))
    }

    /// Metrics that every trial needs, the objective's first; metrics that may be told; constraints as written.
    fn names(&self, py: Python<'_>) -> PyResult<[Vec<String>; 3]> {
        let owned = |names: Vec<&str>| names.into_iter().map(String::from).collect();
        let names = |spec: &Spec| {
            let limits = spec.constraints.iter().map(ToString::to_string).collect();
            [owned(spec.outputs()), owned(spec.metrics()), limits]
        };
        self.handle.with(py, |shared| Ok(names(shared.study().spec())))
    }

    /// Refuses a setting that cannot be asked for.
    #[pyo3(signature = (params, /))]
    fn check(&self, py: Python<'_>, params: &Bound<'_, PyAny>) -> PyResult<()> {
        let params = checked(py, convert::params(params))?;
        self.handle.with(py, |shared| Ok(shared.study().spec().params.encode(&params).map(drop)?))
    }

    /// The account of every constraint, as JSON.
    fn ledger(&self, py: Python<'_>) -> PyResult<String> {
        self.handle.look(py, |shared| {
            let study = shared.study();
            let metrics = study.spec().constraints.iter().map(|limit| limit.metric());
            let booked = |(metric, account)| Booked { metric, account };
            written(&metrics.zip(study.ledger_by_model()?).map(booked).collect::<Vec<_>>())
        })
    }

    /// Where the study stands, as JSON, and what it recommends in words.
    fn status(&self, py: Python<'_>) -> PyResult<(String, Option<String>)> {
        self.handle.look(py, |shared| {
            let status = shared.study().status();
            let words = status.recommendation.as_ref().map(ToString::to_string);
            Ok((written(&status)?, words))
        })
    }

    /// What the models believe of settings, as JSON; `null` while there is no model.
    #[pyo3(signature = (settings, /))]
    fn predict(&self, py: Python<'_>, settings: Vec<Bound<'_, PyAny>>) -> PyResult<String> {
        let settings: Result<Vec<Params>, Failure> = settings.iter().map(convert::params).collect();
        let settings = checked(py, settings)?;
        self.handle.look(py, |shared| prediction::predicted(shared.study(), &settings))
    }

    /// A picture as SVG.
    #[pyo3(signature = (kind, params, /))]
    fn picture(&self, py: Python<'_>, kind: &str, params: Vec<String>) -> PyResult<String> {
        self.handle.look(py, |shared| picture::drawn(shared, kind, &params))
    }

    /// Panics in the middle of a change: for the test of what becomes of that.
    fn _break_down(&self, py: Python<'_>) -> PyResult<()> {
        self.handle.change(py, |study| {
            study.ask()?;
            panic!("as asked")
        })
    }
}
