//! Trials as columns: one a parameter and a metric, under names that are each there once.

use crate::common::table::{Cell, Table};
use rpol::Spec;
use rpol::store::Row;

/// What a column is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    Number,
    State,
    Param(String),
    Metric(String),
    /// A metric's standard error.
    Error(String),
    Feasible,
    Violation(usize),
    AskedAt,
    ToldAt,
    Worker,
    LeaseUntil,
    Reason,
}

/// Every column of a study, with its header.
pub(super) fn columns(spec: &Spec) -> Vec<(String, Column)> {
    let params = spec.params.params().keys().map(|name| Column::Param(name.clone()));
    let metrics = spec.metrics().into_iter().map(String::from);
    let measured = metrics.flat_map(|name| [Column::Metric(name.clone()), Column::Error(name)]);
    let limits = (0..spec.constraints.len()).map(Column::Violation);
    let columns = [Column::Number, Column::State].into_iter().chain(params).chain(measured);
    let columns = columns.chain([Column::Feasible]).chain(limits).chain([
        Column::AskedAt,
        Column::ToldAt,
        Column::Worker,
        Column::LeaseUntil,
        Column::Reason,
    ]);
    let columns: Vec<Column> = columns.collect();
    let plain: Vec<String> = columns.iter().map(|column| column.plain(spec)).collect();
    let header = |(column, own): (Column, &String)| {
        let clashes = plain.iter().filter(|other| *other == own).count() > 1;
        (if clashes { column.qualified(own) } else { own.clone() }, column)
    };
    columns.into_iter().zip(&plain).map(header).collect()
}

impl Column {
    /// Its header where no other column has the same.
    fn plain(&self, spec: &Spec) -> String {
        match self {
            Column::Number => "number".into(),
            Column::State => "state".into(),
            Column::Param(name) | Column::Metric(name) => name.clone(),
            Column::Error(name) => format!("{name}.sem"),
            Column::Feasible => "feasible".into(),
            Column::Violation(i) => format!("violation of {}", spec.constraints[*i]),
            Column::AskedAt => "asked_at".into(),
            Column::ToldAt => "told_at".into(),
            Column::Worker => "worker".into(),
            Column::LeaseUntil => "lease_until".into(),
            Column::Reason => "reason".into(),
        }
    }

    /// Its header where another has the same; our own stay as they are.
    pub(super) fn qualified(&self, plain: &str) -> String {
        match self {
            Column::Param(_) => format!("params.{plain}"),
            Column::Metric(_) => format!("metrics.{plain}"),
            Column::Error(name) => format!("metrics.{name} (standard error)"),
            _ => plain.into(),
        }
    }

    /// Whether it is worth its width on a terminal.
    fn is_brief(&self) -> bool {
        !matches!(self, Column::Violation(_) | Column::AskedAt | Column::LeaseUntil)
    }

    fn cell(&self, row: &Row<'_>) -> Cell {
        let metric = |name: &String| row.metrics.get(name);
        match self {
            Column::Number => row.number.into(),
            Column::State => row.state.name().into(),
            Column::Param(name) => row.params.get(name).into(),
            Column::Metric(name) => metric(name).map(|m| m.value.get()).into(),
            Column::Error(name) => metric(name).and_then(|m| m.sem).map(|sem| sem.get()).into(),
            Column::Feasible => row.feasible.map(|yes| if yes { "true" } else { "false" }).into(),
            Column::Violation(i) => row.violation[*i].1.into(),
            Column::AskedAt => row.asked_at.as_deref().into(),
            Column::ToldAt => row.told_at.as_deref().into(),
            Column::Worker => row.worker.into(),
            Column::LeaseUntil => row.lease_until.as_deref().into(),
            Column::Reason => row.reason.into(),
        }
    }
}

/// Trials with everything there is to say, standard errors where there are any.
pub(super) fn full(spec: &Spec, rows: &[Row<'_>]) -> Table {
    let has_error =
        |name: &String| rows.iter().any(|r| r.metrics.get(name).is_some_and(|m| m.sem.is_some()));
    tabulated(spec, rows, |column| match column {
        Column::Error(name) => has_error(name),
        _ => true,
    })
}

/// Trials for a terminal.
pub(super) fn brief(spec: &Spec, rows: &[Row<'_>]) -> Table {
    tabulated(spec, rows, Column::is_brief)
}

/// What a narrow terminal need not show: what is not a setting, the objective or a limit, and then the last settings.
fn spare(spec: &Spec, columns: &[Column]) -> Vec<usize> {
    let modelled = spec.outputs();
    let rank = |column: &Column| match column {
        Column::ToldAt => Some(0),
        Column::Worker => Some(1),
        Column::Error(_) => Some(2),
        Column::Metric(name) if !modelled.contains(&name.as_str()) => Some(3),
        Column::Reason => Some(4),
        Column::Param(_) => Some(5),
        _ => None,
    };
    let ranked = columns.iter().enumerate().rev();
    let mut ranked: Vec<(u8, usize)> =
        ranked.filter_map(|(i, column)| Some((rank(column)?, i))).collect();
    // Stable: of the settings the last goes first.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, i)| i).collect()
}

fn tabulated(spec: &Spec, rows: &[Row<'_>], wanted: impl Fn(&Column) -> bool) -> Table {
    let kept = columns(spec).into_iter().filter(|(_, column)| wanted(column));
    let (header, kept): (_, Vec<Column>) = kept.unzip();
    let cells = |row: &Row<'_>| kept.iter().map(|column| column.cell(row)).collect();
    Table { header, rows: rows.iter().map(cells).collect(), spare: spare(spec, &kept) }
}
