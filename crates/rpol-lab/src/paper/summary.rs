//! From runs to what is reported, one run in memory at a time.

use super::archive::Archive;
use super::interval::{Estimate, Spread};
use super::job::Job;
use super::request::{Experiment, Request};
use super::run::Run;
use super::settings::{Origin, Settings};
use crate::statistics::mean;
use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

/// One experiment.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Which.
    pub experiment: Experiment,
    /// In the settings' order.
    pub algorithms: Vec<Standing>,
}

/// One algorithm in it.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its name in figures.
    pub label: String,
    /// Who brings it into the comparison.
    pub origin: Origin,
    /// Over all rounds.
    pub totals: Totals,
    /// Round by round.
    pub curves: Curves,
    /// Where seed 0 played.
    pub points: Vec<[f64; 2]>,
    /// The resolved definition of seed 0's study.
    pub spec: Value,
}

/// Averages over the rounds, each a mean over the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Totals {
    /// $R(T)/T$, signed as in the paper.
    pub regret: Estimate,
    /// $R^+(T)/T$.
    pub regret_plus: Estimate,
    /// $V(T)/T$.
    pub violation: Estimate,
    /// Share of the rounds with $g > 0$.
    pub violating_rounds: Estimate,
    /// $[\sum_t g_t(x_t)]^+/T$.
    pub soft_violation: Estimate,
    /// Mean of an ask.
    pub ask_ms: Estimate,
}

/// Averages up to every round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curves {
    /// $R(t)/t$.
    pub regret: Vec<Estimate>,
    /// $R^+(t)/t$.
    pub regret_plus: Vec<Estimate>,
    /// $V(t)/t$.
    pub violation: Vec<Estimate>,
    /// $Q_t$ or $\phi_t$, not averaged over rounds; empty for policies without.
    pub penalty: Vec<Estimate>,
}

/// Takes runs one by one.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    totals: [Spread; 6],
    curves: [Vec<Spread>; 4],
}

impl Tally {
    /// Takes the run of one more seed.
    pub fn add(&mut self, run: &Run) {
        let positive = |values: &[f64]| values.iter().map(|v| v.max(0.0)).collect::<Vec<_>>();
        let (regret_plus, violation) = (positive(&run.regret), positive(&run.g));
        let series = [
            running_mean(&run.regret),
            running_mean(&regret_plus),
            running_mean(&violation),
            run.penalty.clone(),
        ];
        for (spreads, values) in self.curves.iter_mut().zip(&series) {
            spreads.resize(values.len(), Spread::default());
            spreads.iter_mut().zip(values).for_each(|(spread, value)| spread.add(*value));
        }
        let violating: Vec<f64> = run.g.iter().map(|g| f64::from(u8::from(*g > 0.0))).collect();
        let totals = [
            mean(&run.regret),
            mean(&regret_plus),
            mean(&violation),
            mean(&violating),
            mean(&run.g).max(0.0),
            mean(&run.ask_ms),
        ];
        self.totals.iter_mut().zip(totals).for_each(|(spread, value)| spread.add(value));
    }

    /// Averages over the rounds.
    pub fn totals(&self) -> Totals {
        let [regret, regret_plus, violation, violating_rounds, soft_violation, ask_ms] =
            self.totals.map(|spread| spread.estimate());
        Totals { regret, regret_plus, violation, violating_rounds, soft_violation, ask_ms }
    }

    /// Averages up to every round.
    pub fn curves(&self) -> Curves {
        let of = |spreads: &Vec<Spread>| spreads.iter().map(Spread::estimate).collect();
        let [regret, regret_plus, violation, penalty] = self.curves.each_ref().map(of);
        Curves { regret, regret_plus, violation, penalty }
    }
}

fn running_mean(values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let up_to = |(i, value): (usize, &f64)| {
        sum += value;
        sum / (i + 1) as f64
    };
    values.iter().enumerate().map(up_to).collect()
}

/// Reads every run of a request, in the order of [`Request::jobs`], and averages over the seeds.
pub fn summarize(
    request: &Request,
    settings: &Settings,
    jobs: &[Job],
    archive: &Archive,
) -> Result<Vec<Summary>> {
    let mut summaries: Vec<Summary> = Vec::new();
    for seeds in jobs.chunks(request.seeds as usize) {
        let first = &seeds[0];
        let standing = standing(settings, seeds, archive)?;
        match summaries.last_mut().filter(|last| last.experiment == first.experiment) {
            Some(summary) => summary.algorithms.push(standing),
            None => {
                summaries.push(Summary { experiment: first.experiment, algorithms: vec![standing] })
            }
        }
    }
    Ok(summaries)
}

fn standing(settings: &Settings, seeds: &[Job], archive: &Archive) -> Result<Standing> {
    let (mut tally, mut points) = (Tally::default(), Vec::new());
    for job in seeds {
        let lost = || format!("{} is gone or changed: run again", archive.path(job).display());
        let run = archive.find(job)?.with_context(lost)?;
        tally.add(&run);
        if job.seed == 0 {
            points = run.x;
        }
    }
    let first = &seeds[0];
    Ok(Standing {
        label: settings.label(&first.algorithm)?.into(),
        origin: settings.origin(&first.algorithm)?,
        totals: tally.totals(),
        curves: tally.curves(),
        points,
        spec: serde_json::to_value(&first.spec)?,
    })
}
