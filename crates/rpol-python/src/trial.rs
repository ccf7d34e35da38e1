//! A trial as Python gets it.

use crate::failure::Failure;
use crate::spec::written;
use rpol::store::{Row, Shared};
use rpol::study::Decision;
use serde::Serialize;

/// What the command line says of a trial, and what only programs ask for.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    row: Row<'a>,
    /// $g_i$ of each constraint, at most 0 where it was kept.
    costs: Vec<Option<f64>>,
    decision: Option<&'a Decision>,
}

impl<'a> Whole<'a> {
    fn of(row: Row<'a>) -> Self {
        Self { costs: row.trial.costs(), decision: row.trial.decision.as_ref(), row }
    }
}

/// Every trial, in the order of their numbers, as a JSON list.
pub(crate) fn all(shared: &Shared) -> Result<String, Failure> {
    listed(shared.rows())
}

/// Those of these numbers.
pub(crate) fn of(
    shared: &Shared,
    numbers: impl IntoIterator<Item = u64>,
) -> Result<String, Failure> {
    listed(shared.rows_of(numbers)?)
}

fn listed(rows: Vec<Row<'_>>) -> Result<String, Failure> {
    written(&rows.into_iter().map(Whole::of).collect::<Vec<_>>())
}
