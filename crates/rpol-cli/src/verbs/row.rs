//! A trial as it is written out.

use crate::common::moment::rfc3339;
use rpol::Params;
use rpol::store::{Moments, Shared, now};
use rpol::study::{Metrics, Trial, TrialState};
use serde::{Serialize, Serializer};

/// Everything there is to say of a trial.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    pub(super) number: u64,
    round: u64,
    pub(super) state: &'static str,
    pub(super) params: &'a Params,
    pub(super) metrics: &'a Metrics,
    /// Whether every constraint is known and kept.
    pub(super) feasible: Option<bool>,
    /// By how much each constraint was exceeded, where that is known.
    #[serde(serialize_with = "by_name")]
    pub(super) violation: Vec<(String, Option<f64>)>,
    /// Nothing for history, which was not asked for.
    pub(super) asked_at: Option<String>,
    /// When the last of its metrics came.
    pub(super) told_at: Option<String>,
    pub(super) worker: Option<&'a str>,
    /// While it is open.
    pub(super) lease_until: Option<String>,
    pub(super) reason: Option<&'a str>,
}

/// Every state a trial can be in, as it is written.
pub(super) const STATES: [&str; 5] = ["running", "stale", "complete", "fail", "abandoned"];

fn word(state: TrialState) -> &'static str {
    match state {
        TrialState::Running => "running",
        TrialState::Stale => "stale",
        TrialState::Complete => "complete",
        TrialState::Fail => "fail",
        TrialState::Abandoned => "abandoned",
    }
}

fn by_name<T: Serialize, S: Serializer>(
    entries: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
}

/// The trials of a study as they stand now, in the order of their numbers.
pub(super) fn rows(shared: &Shared) -> Vec<Row<'_>> {
    let (study, now) = (shared.study(), now());
    let limits: Vec<String> = study.spec().constraints.iter().map(ToString::to_string).collect();
    let row = |(trial, moments): (_, Moments)| row(trial, moments, &limits, now);
    study.trials().iter().zip(shared.moments()).map(row).collect()
}

fn row<'a>(trial: &'a Trial, moments: Moments, limits: &[String], now: u64) -> Row<'a> {
    let excess = trial.costs().into_iter().map(|cost| cost.map(|cost| cost.max(0.0)));
    let open = trial.state == TrialState::Running;
    let lease = trial.lease.as_ref();
    Row {
        number: trial.number,
        round: trial.round,
        state: word(trial.state_at(now)),
        params: &trial.params,
        metrics: &trial.metrics,
        feasible: trial.is_feasible(),
        violation: limits.iter().cloned().zip(excess).collect(),
        asked_at: moments.asked.map(rfc3339),
        told_at: moments.told.map(rfc3339),
        worker: lease.map(|lease| lease.worker.as_str()),
        lease_until: lease.filter(|_| open).map(|lease| rfc3339(lease.until)),
        reason: trial.reason.as_deref().filter(|reason| !reason.is_empty()),
    }
}
