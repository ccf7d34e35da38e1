//! One run to be made.

use super::archive::Archive;
use super::request::{Experiment, Request};
use super::run::Run;
use super::settings::Settings;
use crate::experiment::Simulation;
use crate::pool::work_all;
use crate::problem::{Delay, Environment};
use anyhow::{Context, Result};
use rpol::policy::Policy;
use rpol::strategy::Strategy;
use rpol::study::{Preset, Spec};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// One algorithm in one experiment under one seed.
#[derive(Debug, Clone)]
pub struct Job {
    /// The experiment.
    pub experiment: Experiment,
    /// The library's name of the algorithm.
    pub algorithm: String,
    /// Decides the noise, the delays and the candidates.
    pub seed: u64,
    /// What it meets.
    pub environment: Environment,
    /// How it decides.
    pub spec: Spec,
}

impl Request {
    /// Every run, by experiment, algorithm and seed.
    pub fn jobs(&self, settings: &Settings) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for &experiment in &self.experiments {
            let environment = experiment.environment(self.rounds, self.noise);
            for algorithm in settings.algorithms(experiment.name())? {
                for seed in 0..self.seeds {
                    let spec = settings.spec(self, &environment, algorithm, seed)?;
                    let (algorithm, environment) = (algorithm.clone(), environment.clone());
                    jobs.push(Job { experiment, algorithm, seed, environment, spec });
                }
            }
        }
        Ok(jobs)
    }
}

impl Job {
    /// Plays every round, telling of each; `None` when `stop` was raised before the end.
    pub fn play(&self, stop: &AtomicBool, mut on_round: impl FnMut()) -> Result<Option<Run>> {
        let failed = || format!("{} could not be played", self.name());
        let mut simulation =
            Simulation::new(self.environment.clone(), self.spec.clone(), self.seed)
                .with_context(failed)?;
        while simulation.step().with_context(failed)?.is_some() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            on_round();
        }
        Ok(Some(Run::of(&simulation)))
    }

    /// Unlike that of any other job of a request.
    pub fn name(&self) -> String {
        format!("{}-{}-seed{}", self.experiment.name(), self.algorithm, self.seed)
    }

    /// All that decides the outcome, beside the program itself.
    pub fn settings(&self) -> Result<Value> {
        let environment = &self.environment;
        let phase = |first: usize| json!([first, environment.problem_at(first).name]);
        let phases: Vec<Value> = environment.phases.iter().map(|p| phase(p.first_round)).collect();
        let delay = environment.delay.map(|Delay::Poisson { mean }| mean);
        Ok(json!({
            "experiment": self.experiment.name(),
            "rounds": environment.horizon,
            // The paper has the same on every output.
            "noise_std": environment.noise[0],
            "phases": phases,
            "mean_delay": delay,
            "seed": self.seed,
            "spec": serde_json::to_value(&self.spec)?,
        }))
    }

    /// How long it takes, roughly, in units of a round's work: what decides the order and the estimate of the time left, and
    /// nothing else.
    pub fn effort(&self) -> u64 {
        if matches!(self.spec.policy, Some(Policy::Random(_))) || self.algorithm == "random" {
            return 1;
        }
        let seen = match &self.spec.strategy {
            Some(Strategy::SlidingWindow(_) | Strategy::Restart(_)) => 10,
            Some(Strategy::Censored(_) | Strategy::Hallucinated(_)) => 40,
            _ => 30,
        };
        // Fitting the model costs as much as using it.
        if self.spec.preset == Preset::Practical { 2 * seen } else { seen }
    }
}

/// Plays `jobs` on so many threads, telling of every round, and keeps each run as it ends; how many were kept before `stop`
/// was raised.
pub fn play_all(
    jobs: &[Job],
    archive: &Archive,
    threads: usize,
    stop: &AtomicBool,
    on_round: &(dyn Fn(&Job) + Sync),
) -> Result<usize> {
    let play = |job: &Job| {
        let run = job.play(stop, || on_round(job))?;
        run.map(|run| archive.keep(job, run)).transpose()
    };
    let kept = work_all(jobs, threads, stop, Job::effort, play)?;
    Ok(kept.into_iter().flatten().count())
}
