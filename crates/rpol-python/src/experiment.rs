//! An algorithm on a problem under several seeds, on threads of its own.

use crate::failure::{Failure, guarded};
use anyhow::Result as Outcome;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rpol::study::{Preset, Spec};
use rpol_lab::arena::{Conditions, Contestant, Course, PAPER};
use rpol_lab::experiment::{Round, Simulation};
use rpol_lab::paper::{Experiment, Noise, Request, Settings};
use rpol_lab::pool::work_all;
use rpol_lab::problem::Environment;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// One run to be made.
struct Job {
    environment: Environment,
    spec: Spec,
    seed: u64,
}

/// What a round has of something.
type Series = fn(&Round) -> &[f64];

type Runs = Vec<Option<Vec<Round>>>;

/// An experiment under way.
#[pyclass(frozen, module = "rpol._rpol")]
pub(crate) struct NativeExperiment {
    played: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    work: Mutex<Option<JoinHandle<Outcome<Runs>>>>,
}

#[pymethods]
impl NativeExperiment {
    /// Begins to play: a course of the arena, or one of the paper's experiments as the paper prints it.
    #[new]
    #[pyo3(signature = (problem, algorithm, printed, rounds, seeds, noise, delay, threads, /))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        problem: &str,
        algorithm: &str,
        printed: bool,
        rounds: usize,
        seeds: Vec<u64>,
        noise: f64,
        delay: Option<f64>,
        threads: usize,
    ) -> PyResult<Self> {
        guarded(py, || {
            let jobs = if printed {
                printed_jobs(problem, algorithm, rounds, &seeds)?
            } else {
                let conditions = Conditions { rounds, noise, delay };
                jobs(problem, algorithm, &conditions, &seeds)?
            };
            Ok(Self::begin(jobs, threads))
        })
    }

    /// Rounds played so far, and whether all is done.
    fn progress(&self) -> (u64, bool) {
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let done = work.as_ref().is_none_or(JoinHandle::is_finished);
        (self.played.load(Ordering::Relaxed), done)
    }

    /// Ends the experiment after the rounds under way.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the end; arrays by name, the first axis being the seed and the second the round.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let runs = guarded(py, || self.runs())?;
        let arrays = PyDict::new(py);
        let series: [(&str, Series); 5] = [
            ("x", |round| &round.x),
            ("f", |round| std::slice::from_ref(&round.f)),
            ("g", |round| &round.g),
            ("regret", |round| std::slice::from_ref(&round.regret)),
            ("penalties", |round| &round.penalties),
        ];
        for (name, of) in series {
            arrays.set_item(name, stacked(py, &runs, of)?)?;
        }
        Ok(arrays)
    }
}

impl NativeExperiment {
    fn begin(jobs: Vec<Job>, threads: usize) -> Self {
        let (played, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, halt) = (played.clone(), stop.clone());
        let play = move |job: &Job| played_through(job, &halt, &count);
        let halt = stop.clone();
        let work = std::thread::spawn(move || work_all(&jobs, threads, &halt, |_| 1, play));
        Self { played, stop, work: Mutex::new(Some(work)) }
    }

    fn runs(&self) -> Result<Vec<Vec<Round>>, Failure> {
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        let work = work.ok_or_else(|| Failure::new("Internal", "the result was taken already"))?;
        // A panic of the thread goes on here, where the guard is.
        let runs = work.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))?;
        let all: Option<Vec<_>> = runs.into_iter().collect();
        all.ok_or_else(|| Failure::new("Stopped", "the experiment was stopped before its end"))
    }
}

fn played_through(job: &Job, stop: &AtomicBool, played: &AtomicU64) -> Outcome<Option<Vec<Round>>> {
    let mut simulation = Simulation::new(job.environment.clone(), job.spec.clone(), job.seed)?;
    while simulation.step()?.is_some() {
        played.fetch_add(1, Ordering::Relaxed);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    Ok(Some(simulation.rounds().to_vec()))
}

fn jobs(
    problem: &str,
    algorithm: &str,
    conditions: &Conditions,
    seeds: &[u64],
) -> Result<Vec<Job>, Failure> {
    let course = Course::named(problem, conditions)?;
    let contestant: Contestant = algorithm.parse()?;
    let job = |&seed: &u64| {
        let spec = contestant.spec(&course, seed)?;
        Ok(Job { environment: course.environment.clone(), spec, seed })
    };
    seeds.iter().map(job).collect()
}

fn printed_jobs(
    problem: &str,
    algorithm: &str,
    rounds: usize,
    seeds: &[u64],
) -> Result<Vec<Job>, Failure> {
    let found = Experiment::ALL.into_iter().find(|experiment| experiment.name() == problem);
    let experiment = found.ok_or_else(|| {
        let known = PAPER.map(|name| format!("{name:?}")).join(", ");
        let (field, value) = ("problem, as the paper prints it,".into(), format!("{problem:?}"));
        rpol::Error::UnknownName { field, value, known }
    })?;
    let settings = Settings::load()?;
    let known = settings.algorithms(experiment.name())?;
    if !known.iter().any(|name| name == algorithm) {
        let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
        let (field, value) = ("algorithm".into(), format!("{algorithm:?}"));
        return Err(rpol::Error::UnknownName { field, value, known: known.join(", ") }.into());
    }
    let noise = Noise::Variance(settings.defaults.noise_var);
    let environment = experiment.environment(rounds, noise);
    let request = Request {
        experiments: vec![experiment],
        seeds: seeds.len() as u64,
        rounds,
        preset: Preset::Printed,
        noise,
    };
    let job = |&seed: &u64| {
        let spec = settings.spec(&request, &environment, algorithm, seed)?;
        Ok(Job { environment: environment.clone(), spec, seed })
    };
    seeds.iter().map(job).collect()
}

fn stacked<'py>(
    py: Python<'py>,
    runs: &[Vec<Round>],
    of: Series,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let rounds = runs.first().map_or(0, Vec::len);
    let width = runs.iter().flatten().next().map_or(0, |round| of(round).len());
    let numbers: Vec<f64> = runs.iter().flatten().flat_map(|round| of(round).to_vec()).collect();
    PyArray1::from_vec(py, numbers).reshape([runs.len(), rounds, width])
}
