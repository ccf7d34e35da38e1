//! The logs at the end, beside what was promised.

use crate::scene::{Promised, Scene};
use rpol::store::{Sqlite, Store};
use rpol::study::{Event, Metrics, Trial, TrialState};
use rpol::{Study, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

/// Of the load, in the study's definition.
const LIMIT: f64 = 150.0;

/// What is wrong, and how much was looked at.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) studies: u64,
    pub(crate) promised: u64,
    pub(crate) told: u64,
    pub(crate) lost: Vec<String>,
    pub(crate) double: Vec<String>,
    pub(crate) stuck: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

impl Verdict {
    pub(crate) fn breaches(&self) -> Vec<String> {
        let kinds = [&self.lost, &self.double, &self.stuck, &self.wrong];
        kinds.into_iter().flatten().cloned().collect()
    }
}

/// The logs of all stores, by study. A study is in one of them.
pub(crate) fn logs(scene: &Scene) -> rpol::Result<BTreeMap<String, Vec<Event>>> {
    let mut logs = BTreeMap::new();
    for home in scene.homes().iter().filter(|home| home.join("rpol.db").exists()) {
        let store = Sqlite::open(&home.join("rpol.db"), false)?;
        for name in store.studies()? {
            let log = store.read(&name, 0)?.into_iter().map(|entry| entry.event).collect();
            logs.insert(name, log);
        }
    }
    Ok(logs)
}

/// Whether a trial was neither answered nor given up.
pub(crate) fn has_open_trials(log: &[Event]) -> bool {
    let study = Study::replay(log.to_vec());
    study.is_ok_and(|study| study.trials().iter().any(|trial| !has_ended(trial.state)))
}

pub(crate) fn judge(scene: &Scene, logs: &BTreeMap<String, Vec<Event>>) -> Verdict {
    let mut verdict = Verdict { studies: logs.len() as u64, ..Verdict::default() };
    let promised = scene.promised();
    for name in promised.keys().filter(|name| !logs.contains_key(*name)) {
        let Promised { costs, asked, ended } = &promised[name];
        if costs.len() + asked.len() + ended.len() > 0 {
            verdict.lost.push(format!("{name}: the whole study"));
        }
    }
    for (name, log) in logs {
        let promised = promised.get(name).cloned().unwrap_or_default();
        look(name, log, &promised, &measured(scene, name), &mut verdict);
    }
    verdict
}

type Pair = (u64, u64);

fn pair(cost: f64, load: f64) -> Pair {
    (cost.to_bits(), load.to_bits())
}

/// Everything that was measured, told or not.
fn measured(scene: &Scene, study: &str) -> HashSet<Pair> {
    let text = fs::read_to_string(scene.witness(study)).unwrap_or_default();
    let number = |text: &str| text.parse::<f64>().ok();
    let line = |line: &str| {
        let (cost, load) = line.split_once(' ')?;
        Some(pair(number(cost)?, number(load)?))
    };
    text.lines().filter_map(line).collect()
}

fn look(
    name: &str,
    log: &[Event],
    promised: &Promised,
    measured: &HashSet<Pair>,
    verdict: &mut Verdict,
) {
    match Study::replay(log.to_vec()) {
        Ok(study) => Look { name, log, study, promised, measured, verdict }.at_everything(),
        Err(error) => verdict.wrong.push(format!("{name}: {error}")),
    }
}

/// One study, beside what is known of it.
struct Look<'a> {
    name: &'a str,
    log: &'a [Event],
    study: Study,
    promised: &'a Promised,
    measured: &'a HashSet<Pair>,
    verdict: &'a mut Verdict,
}

impl Look<'_> {
    fn at_everything(&mut self) {
        self.verdict.promised += (self.promised.costs.len() + self.promised.ended.len()) as u64;
        self.at_results();
        self.at_ends();
        self.at_settings();
        self.at_open_trials();
    }

    /// Cost and load of every trial that was told.
    fn told(&self) -> Vec<(f64, f64)> {
        let told = self.log.iter().filter_map(|event| match event {
            Event::Told { metrics, .. } => Some(metrics),
            _ => None,
        });
        let value = |metrics: &Metrics, name| metrics.get(name).map_or(f64::NAN, |m| m.value.get());
        told.map(|metrics| (value(metrics, "cost"), value(metrics, "load"))).collect()
    }

    /// Each was measured, is there once, and counts once.
    fn at_results(&mut self) {
        let (name, told) = (self.name, self.told());
        let mut times: HashMap<u64, u64> = HashMap::new();
        for (cost, load) in &told {
            *times.entry(cost.to_bits()).or_default() += 1;
            if !self.measured.contains(&pair(*cost, *load)) {
                self.verdict.wrong.push(format!("{name}: nobody measured {cost}"));
            }
        }
        for (cost, times) in times.iter().filter(|(_, times)| **times > 1) {
            let cost = f64::from_bits(*cost);
            self.verdict.double.push(format!("{name}: {cost} is told {times} times"));
        }
        for cost in self.promised.costs.iter().filter(|c| !times.contains_key(&c.to_bits())) {
            self.verdict.lost.push(format!("{name}: the result {cost}"));
        }
        let violation: f64 = told.iter().map(|(_, load)| (load - LIMIT).max(0.0)).sum();
        let total = self.study.ledger()[0].total;
        if (total - violation).abs() > 1e-6 {
            self.verdict.wrong.push(format!("{name}: the ledger has {total}, the log {violation}"));
        }
        self.verdict.told += told.len() as u64;
    }

    /// What a run said to have ended has.
    fn at_ends(&mut self) {
        for number in &self.promised.ended {
            let state = self.study.trials().get(*number as usize).map(|trial| trial.state);
            if !state.is_some_and(has_ended) {
                let lost = format!("{}: the end of trial {number} ({state:?})", self.name);
                self.verdict.lost.push(lost);
            }
        }
    }

    /// What was given out is there, with the same setting.
    fn at_settings(&mut self) {
        for (number, setting) in &self.promised.asked {
            let trial = self.study.trials().get(*number as usize);
            let kept = trial.map(|trial| ["x", "y"].map(|name| integer(trial, name)));
            if kept != Some(setting.map(Some)) {
                let lost = format!("{}: trial {number} was given out as {setting:?}", self.name);
                self.verdict.lost.push(lost);
            }
        }
    }

    fn at_open_trials(&mut self) {
        for trial in self.study.trials().iter().filter(|trial| !has_ended(trial.state)) {
            let stuck = format!("{}: trial {} is {:?}", self.name, trial.number, trial.state);
            self.verdict.stuck.push(stuck);
        }
    }
}

fn has_ended(state: TrialState) -> bool {
    matches!(state, TrialState::Complete | TrialState::Fail)
}

fn integer(trial: &Trial, param: &str) -> Option<i64> {
    match trial.params.get(param) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    }
}
