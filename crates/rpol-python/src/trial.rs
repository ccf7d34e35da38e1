//! A trial as Python gets it.

use rpol::store::{Moments, Shared, now};
use rpol::study::{Trial, TrialState};
use serde::Serialize;

/// Everything there is to say of a trial.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    #[serde(flatten)]
    trial: &'a Trial,
    /// As of now: an open trial whose lease is over is stale.
    status: TrialState,
    feasible: Option<bool>,
    /// $g_i$ of each constraint, at most 0 where it was kept.
    costs: Vec<Option<f64>>,
    /// Milliseconds since the beginning of 1970; nothing for history.
    asked_at: Option<u64>,
    /// When the last of its metrics came.
    told_at: Option<u64>,
}

/// Every trial, in the order of their numbers.
pub(crate) fn rows(shared: &Shared) -> Vec<Row<'_>> {
    rows_of(shared, 0..shared.study().trials().len() as u64)
}

/// Those of these numbers that are there.
pub(crate) fn rows_of(shared: &Shared, numbers: impl IntoIterator<Item = u64>) -> Vec<Row<'_>> {
    let (trials, moments, now) = (shared.study().trials(), shared.moments(), now());
    let of = |number: u64| {
        let number = number as usize;
        trials.get(number).map(|trial| row(trial, moments[number], now))
    };
    numbers.into_iter().filter_map(of).collect()
}

fn row(trial: &Trial, moments: Moments, now: u64) -> Row<'_> {
    Row {
        trial,
        status: trial.state_at(now),
        feasible: trial.is_feasible(),
        costs: trial.costs(),
        asked_at: moments.asked,
        told_at: moments.told,
    }
}
