//! The logs at the end, beside what was promised.

use crate::scene::{Promised, Scene};
use rpol::store::{Sqlite, Store};
use rpol::study::{Event, TrialState};
use rpol::{Study, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

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
    let open = |state| !matches!(state, TrialState::Complete | TrialState::Fail);
    let study = Study::replay(log.to_vec());
    study.is_ok_and(|study| study.trials().iter().any(|trial| open(trial.state)))
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
    let study = match Study::replay(log.to_vec()) {
        Ok(study) => study,
        Err(error) => return verdict.wrong.push(format!("{name}: {error}")),
    };
    let mut told: HashMap<u64, u64> = HashMap::new();
    let mut violation = 0.0;
    for event in log {
        let Event::Told { number, metrics } = event else { continue };
        let value = |name: &str| metrics.get(name).map_or(f64::NAN, |m| m.value.get());
        let (cost, load) = (value("cost"), value("load"));
        violation += (load - 150.0).max(0.0);
        verdict.told += 1;
        *told.entry(cost.to_bits()).or_default() += 1;
        if !measured.contains(&pair(cost, load)) {
            verdict.wrong.push(format!("{name}: trial {number} has {cost}, which nobody measured"));
        }
    }
    for (cost, times) in told.iter().filter(|(_, times)| **times > 1) {
        verdict.double.push(format!("{name}: {} is told {times} times", f64::from_bits(*cost)));
    }
    verdict.promised += (promised.costs.len() + promised.ended.len()) as u64;
    for cost in promised.costs.iter().filter(|cost| !told.contains_key(&cost.to_bits())) {
        verdict.lost.push(format!("{name}: the result {cost}"));
    }
    let trial = |number: &u64| study.trials().get(*number as usize);
    for number in &promised.ended {
        let state = trial(number).map(|trial| trial.state);
        if !matches!(state, Some(TrialState::Complete | TrialState::Fail)) {
            verdict.lost.push(format!("{name}: the end of trial {number} ({state:?})"));
        }
    }
    for (number, setting) in &promised.asked {
        let param = |trial: &rpol::study::Trial, name: &str| match trial.params.get(name) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        };
        let kept = trial(number).map(|t| [param(t, "x"), param(t, "y")]);
        if kept != Some(setting.map(Some)) {
            verdict.lost.push(format!("{name}: trial {number} was given out as {setting:?}"));
        }
    }
    for trial in study.trials() {
        if !matches!(trial.state, TrialState::Complete | TrialState::Fail) {
            verdict.stuck.push(format!("{name}: trial {} is {:?}", trial.number, trial.state));
        }
    }
    let total = study.ledger()[0].total;
    if (total - violation).abs() > 1e-6 {
        verdict.wrong.push(format!("{name}: the ledger says {total}, the log {violation}"));
    }
}
