//! One suggestion and its outcome.

use super::event::{Decision, Metrics};
use crate::space::Params;
use crate::strategy::Timing;
use serde::Serialize;

/// Where a trial stands; which metrics have arrived is a separate matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialState {
    /// Some metrics of the objective or a constraint are still to come.
    Running,
    /// All have arrived.
    Complete,
    /// Some are still to come, but whoever had it has not been heard of for longer than its lease.
    Stale,
    /// It gave no result.
    Fail,
    /// Its metrics count no more.
    Abandoned,
}

/// One suggestion and its outcome.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// 0-based and dense within the study.
    pub number: u64,
    /// The round it opened; for history, the one it came in.
    pub round: u64,
    /// Where it stands.
    pub state: TrialState,
    /// The setting.
    pub params: Params,
    /// What has arrived, in the user's units.
    pub metrics: Metrics,
    /// How it was chosen; `None` for history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Who has it, until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
    /// Why it failed or was voided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip)]
    pub(crate) x: Vec<f64>,
    /// The number of its setting among the distinct ones.
    #[serde(skip)]
    pub(crate) point: u64,
    /// Value of each output in the model's signs: the objective to be maximised, then every $g_i$.
    #[serde(skip)]
    pub(crate) values: Vec<Option<Arrival>>,
}

/// A worker's hold on a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lease {
    /// Who.
    pub worker: String,
    /// Until when: milliseconds since the beginning of 1970, UTC.
    pub until: u64,
}

/// A value of an output, and when it was revealed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrival {
    pub(crate) value: f64,
    /// Its own noise, as a standard deviation.
    pub(crate) sem: Option<f64>,
    pub(crate) round: u64,
}

impl Trial {
    /// Whether every constraint is known and kept; `None` while one is unknown.
    #[must_use]
    pub fn is_feasible(&self) -> Option<bool> {
        let mut all_known = true;
        for value in &self.values[1..] {
            match value {
                Some(arrival) if arrival.value > 0.0 => return Some(false),
                Some(_) => {}
                None => all_known = false,
            }
        }
        all_known.then_some(true)
    }

    /// $g_i$ of each constraint as observed, at most 0 where it was kept; `None` while it is unknown.
    #[must_use]
    pub fn costs(&self) -> Vec<Option<f64>> {
        self.values[1..].iter().map(|value| value.map(|arrival| arrival.value)).collect()
    }

    /// Rounds opened between the trial's own and the arrival of the last of its metrics; `None` while one is missing.
    #[must_use]
    pub fn delay(&self) -> Option<u64> {
        let rounds = self.values.iter().map(|value| value.map(|arrival| arrival.round));
        let last = rounds.reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        last.map(|last| last.saturating_sub(self.round))
    }

    /// Where it stands at a time, in milliseconds since the beginning of 1970: as [`state`](Self::state), but
    /// [`Stale`](TrialState::Stale) once its lease is over.
    #[must_use]
    pub fn state_at(&self, now: u64) -> TrialState {
        match &self.lease {
            Some(lease) if self.state == TrialState::Running && lease.until < now => {
                TrialState::Stale
            }
            _ => self.state,
        }
    }

    pub(crate) fn timing(&self, output: usize) -> Timing {
        Timing { asked: self.round.max(1), arrived: self.values[output].map(|a| a.round) }
    }

    /// Whether nothing more is to come: a baseline may still make a value of what a failed one has measured.
    pub(crate) fn is_done(&self, outputs: &[&str]) -> bool {
        let waits = |(metric, value): (&&str, &Option<Arrival>)| {
            value.is_none() && self.metrics.contains_key(*metric)
        };
        match self.state {
            TrialState::Running | TrialState::Stale => false,
            TrialState::Complete | TrialState::Abandoned => true,
            TrialState::Fail => !outputs.iter().zip(&self.values).any(waits),
        }
    }

    /// Whether an output's value, or the wait for it, is in the model: what was measured counts, but a
    /// failed trial has nothing left to wait for.
    pub(crate) fn counts(&self, output: usize) -> bool {
        match self.state {
            TrialState::Running | TrialState::Stale | TrialState::Complete => true,
            TrialState::Fail => self.values[output].is_some(),
            TrialState::Abandoned => false,
        }
    }
}
