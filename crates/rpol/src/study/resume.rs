//! A study from a snapshot and the part of its log that follows.
//!
//! A snapshot is what a log adds up to at a round after which the models begin anew
//! ([`begins_anew`]): then no model belongs to it. It holds the open trials and those not yet
//! compacted, so its size does not grow with the study. It is a cache. What it says follows from
//! the log, `rpol fsck` compares the two, and a snapshot of another build is not read.

use crate::error::{Error, Result};
use crate::space::Params;
use crate::study::engine::{Engine, begins_anew};
use crate::study::log::event::{Decision, ENGINE_VERSION, Event, Metrics};
use crate::study::log::trial::{Arrival, Lease, Trial, TrialState};
use crate::study::snapshot::Origin;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use crate::study::state::trials::Trials;
use crate::study::study::Study;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Grows with the layout of a snapshot.
const LAYOUT: u32 = 2;
/// More trials than this are no summary.
const MOST: usize = 4096;

/// A snapshot as it is stored.
#[derive(Serialize, Deserialize)]
struct Record<S> {
    layout: u32,
    engine: u32,
    /// The definition, as logs have it.
    spec: String,
    state: S,
    /// Trials before the first of these.
    gone: u64,
    trials: Vec<TrialRecord>,
    best: Option<TrialRecord>,
}

/// A trial with what its own serialisation leaves out.
#[derive(Serialize, Deserialize)]
struct TrialRecord {
    number: u64,
    round: u64,
    state: u8,
    params: Params,
    metrics: Metrics,
    decision: Option<Decision>,
    lease: Option<Lease>,
    reason: Option<String>,
    reissued: u64,
    x: Vec<f64>,
    point: u64,
    values: Vec<Option<Arrival>>,
    at: Times,
}

/// When a trial was asked for and told, where that is known.
pub(crate) type Times = (Option<u64>, Option<u64>);

impl Study {
    /// What the study adds up to, for [`resume`](Self::resume), with the times of its trials; `None` where the models do not
    /// begin anew at this moment, and for strategies that look at every trial again.
    pub(crate) fn snapshot(&self, at: impl Fn(u64) -> Times) -> Option<Vec<u8>> {
        let of = |trial: &Trial| TrialRecord::of(trial, at(trial.number));
        let state = &self.state;
        let summed = self.plan.accumulates() && self.plan.has_models();
        if !begins_anew(state.round) || !summed || state.uncompacted().len() > MOST {
            return None;
        }
        let record = Record {
            layout: LAYOUT,
            engine: ENGINE_VERSION,
            spec: serde_json::to_string(&*self.spec).ok()?,
            gone: state.compacted.trials.max(state.trials.first()),
            trials: state.uncompacted().iter().map(of).collect(),
            best: state.best_trial().map(of),
            state,
        };
        rmp_serde::to_vec_named(&record).ok()
    }

    /// The study whose log had so many entries when a [snapshot](Self::snapshot) was made, without that log; and the times
    /// of its trials.
    pub(crate) fn resume(snapshot: &[u8], position: usize) -> Result<(Self, HashMap<u64, Times>)> {
        let unusable = |problem: String| Error::InvalidLog { position, problem };
        let record: Record<State> =
            rmp_serde::from_slice(snapshot).map_err(|error| unusable(error.to_string()))?;
        if (record.layout, record.engine) != (LAYOUT, ENGINE_VERSION) {
            return Err(unusable("the snapshot is of another build".into()));
        }
        let spec: Spec =
            serde_json::from_str(&record.spec).map_err(|error| unusable(error.to_string()))?;
        let plan = Arc::new(Plan::new(&spec)?);
        let spec = Arc::new(spec);
        let mut state = record.state;
        state.compacted.table.index();
        let known = record.trials.iter().chain(&record.best);
        let times = known.map(|trial| (trial.number, trial.at)).collect();
        let trials = |records: Vec<TrialRecord>| records.into_iter().map(TrialRecord::trial);
        state.trials = Trials::after(record.gone, trials(record.trials).collect());
        state.best = record.best.map(TrialRecord::trial);
        let engine = Arc::new(Engine::new(spec.clone(), plan.clone())?.at(position));
        let origin = Origin { length: position, state: state.clone(), engine };
        let (log, engine, origin) = (Vec::new(), Mutex::default(), Some(Arc::new(origin)));
        Ok((Self { spec, plan, log, state, engine, origin }, times))
    }

    /// Whether there may be a [snapshot](Self::snapshot) right after an entry.
    pub(crate) fn is_summed_up_after(event: &Event) -> bool {
        matches!(event, Event::Asked { round, .. } if begins_anew(*round))
    }
}

impl TrialRecord {
    fn of(trial: &Trial, at: Times) -> Self {
        let Trial { number, round, state, reissued, point, .. } = *trial;
        let state = TrialState::ALL.iter().position(|known| *known == state).unwrap_or(0) as u8;
        let trial = trial.clone();
        Self {
            number,
            round,
            state,
            params: trial.params,
            metrics: trial.metrics,
            decision: trial.decision,
            lease: trial.lease,
            reason: trial.reason,
            reissued,
            x: trial.x,
            point,
            values: trial.values,
            at,
        }
    }

    fn trial(self) -> Trial {
        let state = TrialState::ALL.get(usize::from(self.state)).copied();
        Trial {
            number: self.number,
            round: self.round,
            state: state.unwrap_or(TrialState::Running),
            params: self.params,
            metrics: self.metrics,
            decision: self.decision,
            lease: self.lease,
            reason: self.reason,
            reissued: self.reissued,
            x: self.x,
            point: self.point,
            values: self.values,
        }
    }
}
