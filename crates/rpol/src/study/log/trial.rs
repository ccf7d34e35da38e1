//! One suggestion and its outcome.

use super::event::{Decision, Metrics, Promise};
use crate::space::Params;
use crate::strategy::Timing;
use serde::{Deserialize, Serialize};

/// Where a trial stands; which metrics have arrived is a separate matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialState {
    /// Some metrics of the objective or a constraint are still to come.
    Running,
    /// All have arrived.
    Complete,
    /// Some are still to come, but its worker has not renewed its lease in time.
    Stale,
    /// It gave no result.
    Fail,
    /// Its metrics count no more.
    Abandoned,
}

impl TrialState {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Running, Self::Stale, Self::Complete, Self::Fail, Self::Abandoned];

    /// Its name, as it is serialised.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stale => "stale",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Deviations from the forecast that are more than noise and a smooth model explain.
const ASTRAY: f64 = 3.0;

/// One suggestion and its outcome.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
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
    /// How often it was given to another worker after the first.
    #[serde(skip)]
    pub(crate) reissued: u64,
    #[serde(skip)]
    pub(crate) x: Vec<f64>,
    /// The number of its setting among the distinct ones.
    #[serde(skip)]
    pub(crate) point: u64,
    /// Value of each output in the model's signs: the objective to be maximised, every $g_i$, and at last whether it failed:
    /// 1 where it did, -1 where it ran.
    #[serde(skip)]
    pub(crate) values: Vec<Option<Arrival>>,
}

/// A worker's hold on a trial.
///
/// `until` is for people: a calendar clock may be set, and differs from machine to machine. `length` and `since` say the
/// same by a clock that nobody sets; logs of before there were these have neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Lease {
    /// Who.
    pub worker: String,
    /// Until when: milliseconds since the beginning of 1970, UTC. 0 where it was given back.
    pub until: u64,
    /// For how long, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// From when, where the worker's machine can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Uptime>,
}

/// A moment by the clock of a machine that runs from its boot on and that nobody sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Uptime {
    /// The machine's name.
    pub host: String,
    /// Which of its boots.
    pub boot: String,
    /// Milliseconds since then, suspended or not.
    pub at: u64,
}

impl Uptime {
    pub(crate) fn new(host: String, boot: String, at: u64) -> Self {
        Self { host, boot, at }
    }
}

impl Lease {
    /// A hold that is known by its end alone.
    #[must_use]
    pub fn new(worker: impl Into<String>, until: u64) -> Self {
        Self { worker: worker.into(), until, length: None, since: None }
    }

    /// Whether the worker has given the trial back.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.until == 0
    }
}

/// A value of an output, and when it was revealed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
        let values = &self.values[1..];
        if values.iter().flatten().any(|arrival| arrival.value > 0.0) {
            return Some(false);
        }
        values[..values.len() - 1].iter().all(Option::is_some).then_some(true)
    }

    /// Whether every output of the definition has its value.
    pub(crate) fn has_all(&self) -> bool {
        self.values[..self.values.len() - 1].iter().all(Option::is_some)
    }

    /// Notes that it ran.
    pub(crate) fn ran(&mut self, round: u64) {
        self.note_failure(-1.0, round);
    }

    /// Notes that it failed; whether that is new.
    pub(crate) fn failed(&mut self, round: u64) -> bool {
        let known = self.values.last().copied().flatten().is_some_and(|a| a.value > 0.0);
        self.note_failure(1.0, round);
        !known
    }

    /// Whether something was promised of it. Nothing is of a setting of the user's own, nor before one is known that keeps the
    /// limits.
    pub(crate) fn is_promised(&self) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.over.is_some())
    }

    /// What has become known of it that counts against the allowance: 1 when it is known to be over a limit or to have
    /// failed, once. Where only the mean can be promised, how much more probable it is that the mean is over than not, once everything
    /// is known.
    pub(crate) fn newly_over(&self, was_over: bool, was_complete: bool) -> f64 {
        let Some(decision) = self.decision.as_ref().filter(|_| self.is_promised()) else {
            return 0.0;
        };
        let failed = self.values.last().copied().flatten().is_some_and(|a| a.value > 0.0);
        match decision.promise {
            Promise::Mean if !failed => match !was_complete && self.has_all() {
                true => self.mean_over(decision),
                false => 0.0,
            },
            _ => f64::from(!was_over && self.is_feasible() == Some(false)),
        }
    }

    /// Whether it failed, or went over a limit by far more than was foretold.
    pub(crate) fn broke_down(&self) -> bool {
        let Some(decision) = self.decision.as_ref().filter(|_| self.is_promised()) else {
            return false;
        };
        let limits = decision.forecast.iter().zip(&self.values).skip(1);
        let mut unforetold = limits.map(|(forecast, value)| {
            let over = value.filter(|arrival| arrival.value > 0.0);
            over.is_some_and(|arrival| forecast.surprise(arrival.value) > ASTRAY)
        });
        self.state == TrialState::Fail || unforetold.any(|far| far)
    }

    /// The probability that the mean of some limit's metric is over it, by the forecast and what was measured.
    fn mean_over(&self, decision: &Decision) -> f64 {
        let limits = decision.forecast.iter().zip(&self.values).skip(1);
        let kept = limits.map(|(forecast, value)| {
            value.map_or(1.0, |arrival| 1.0 - forecast.over_given(arrival.value, arrival.sem))
        });
        let over = 1.0 - kept.product::<f64>();
        // Not knowing is no violation: only what is more probable than not counts.
        (2.0 * over - 1.0).max(0.0)
    }

    fn note_failure(&mut self, value: f64, round: u64) {
        if let Some(failure) = self.values.last_mut() {
            *failure = Some(Arrival { value, sem: None, round });
        }
    }

    /// $g_i$ of each constraint as observed, at most 0 where it was kept; `None` while it is unknown.
    #[must_use]
    pub fn costs(&self) -> Vec<Option<f64>> {
        let costs = &self.values[1..self.values.len() - 1];
        costs.iter().map(|value| value.map(|arrival| arrival.value)).collect()
    }

    /// Rounds opened between the trial's own and the arrival of the last of its metrics; `None` while one is missing.
    #[must_use]
    pub fn delay(&self) -> Option<u64> {
        let rounds = self.values[..self.values.len() - 1]
            .iter()
            .map(|value| value.map(|arrival| arrival.round));
        let last = rounds.reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        last.map(|last| last.saturating_sub(self.round))
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
            // It ran while it was measured, and failed all the same.
            TrialState::Fail => self.values[output].is_some(),
            TrialState::Abandoned => false,
        }
    }
}
