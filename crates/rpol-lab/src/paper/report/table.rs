//! Results for people in a terminal.

use super::Report;
use crate::paper::{Estimate, Summary, Totals};

/// Heading of a column, its value, and by how much it is multiplied to be read.
type Column = (&'static str, fn(&Totals) -> Estimate, f64, usize);

/// What is reported of every algorithm: heading, value, factor, digits after the point.
pub(super) const COLUMNS: [Column; 6] = [
    ("R/T", |t| t.regret, 1.0, 4),
    ("R+/T", |t| t.regret_plus, 1.0, 4),
    ("V/T", |t| t.violation, 1.0, 4),
    ("violating %", |t| t.violating_rounds, 100.0, 1),
    ("soft V/T", |t| t.soft_violation, 1.0, 4),
    ("ask ms", |t| t.ask_ms, 1.0, 2),
];

/// A mean and the half width of its interval, or `-` where there is none.
pub(super) fn cell(totals: &Totals, (_, value, factor, digits): &Column) -> (String, String) {
    let estimate = value(totals);
    let shown = |x: f64| format!("{:.digits$}", factor * x);
    (shown(estimate.mean), estimate.half_width.map_or("-".into(), shown))
}

/// Every experiment's table, means ± half widths of the 95 % intervals.
pub fn table(report: &Report<'_>) -> String {
    let tables: Vec<String> = report.summaries.iter().map(|s| one(report, s)).collect();
    tables.join("\n")
}

fn one(report: &Report<'_>, summary: &Summary) -> String {
    let request = report.request;
    let mut rows = vec![vec!["algorithm".to_string()]];
    rows[0].extend(COLUMNS.iter().map(|column| column.0.to_string()));
    for algorithm in &summary.algorithms {
        let cells = COLUMNS.iter().map(|column| {
            let (mean, half) = cell(&algorithm.totals, column);
            format!("{mean} ± {half}")
        });
        rows.push(std::iter::once(algorithm.label.clone()).chain(cells).collect());
    }
    format!(
        "{}: {} rounds, {} seeds, noise deviation {}, preset {}\n{}",
        summary.experiment.name(),
        request.rounds,
        request.seeds,
        super::digits(request.noise.std()),
        request.preset_name(),
        aligned(&rows),
    )
}

/// The first column to the left, the others to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let width = |c: usize| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = format!("{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
