//! The results as rows for spreadsheets.

use crate::common::table::{Cell, Table};
use anyhow::Result;
use rpol_lab::arena::report::Report;
use rpol_lab::arena::{Score, Standing};
use rpol_lab::paper::Estimate;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Writes both tables.
pub(super) fn write(report: &Report<'_>, folder: &Path) -> Result<()> {
    write_whole(&folder.join("standings.csv"), standings(report).csv().as_bytes(), Replace::Own)?;
    write_whole(&folder.join("runs.csv"), runs(report).csv().as_bytes(), Replace::Own)
}

/// What is estimated over the seeds.
type Estimated = (&'static str, fn(&Standing) -> Option<Estimate>);

const ESTIMATED: [Estimated; 9] = [
    ("regret_plus", |s| Some(s.regret_plus)),
    ("violation", |s| Some(s.violation)),
    ("normal_regret", |s| Some(s.normal_regret)),
    ("normal_violation", |s| Some(s.normal_violation)),
    ("violating", |s| Some(s.violating)),
    ("violating_late", |s| s.violating_late),
    ("violation_middle", |s| s.violation_middle),
    ("simple_regret", |s| s.simple_regret),
    ("ask_ms", |s| Some(s.ask_ms)),
];

/// A row for each algorithm on each problem.
pub(super) fn standings(report: &Report<'_>) -> Table {
    let mut header = vec!["problem".to_string(), "algorithm".to_string()];
    for (name, _) in ESTIMATED {
        header.extend([format!("{name}_mean"), format!("{name}_half_width")]);
    }
    header.extend(["solved", "solved_round", "locked", "ask_ms_max", "frontier"].map(String::from));
    let row = |names: [&str; 2], s: &Standing| {
        let mut row: Vec<Cell> = names.map(Cell::from).into();
        for (_, of) in ESTIMATED {
            let estimate = of(s);
            row.push(estimate.map(|e| e.mean).into());
            row.push(estimate.and_then(|e| e.half_width).into());
        }
        row.extend([s.solved.into(), s.solved_round.map(|t| t as u64).into()]);
        row.extend([s.locked.into(), s.ask_ms_max.into(), u64::from(s.frontier).into()]);
        row
    };
    let rows = each(report).map(|(names, standing)| row(names, standing));
    Table { header, rows: rows.collect(), ..Table::default() }
}

/// What is kept of a run.
type Kept = (&'static str, fn(&Score) -> Cell);

const KEPT: [Kept; 12] = [
    ("regret_plus", |s| s.regret_plus.into()),
    ("violation", |s| s.violation.into()),
    ("normal_regret", |s| s.normal_regret.into()),
    ("normal_violation", |s| s.normal_violation.into()),
    ("violating", |s| s.violating.into()),
    ("violating_late", |s| s.violating_late.into()),
    ("violation_middle", |s| s.violation_middle.into()),
    ("simple_regret", |s| s.simple_regret.into()),
    ("solved", |s| s.solved.map(|round| round as u64).into()),
    ("locked", |s| u64::from(s.locked).into()),
    ("ask_ms", |s| s.ask_ms.into()),
    ("ask_ms_max", |s| s.ask_ms_max.into()),
];

/// A row for each run.
fn runs(report: &Report<'_>) -> Table {
    let header = ["problem", "algorithm", "seed"].into_iter().chain(KEPT.map(|(name, _)| name));
    let mut rows = Vec::new();
    for (names, standing) in each(report) {
        for (seed, score) in standing.scores.iter().enumerate() {
            let mut row: Vec<Cell> = names.map(Cell::from).into();
            row.push((seed as u64).into());
            row.extend(KEPT.map(|(_, of)| of(score)));
            rows.push(row);
        }
    }
    Table { header: header.map(String::from).collect(), rows, ..Table::default() }
}

/// The names of problem and algorithm, and the standing.
fn each<'a>(report: &'a Report<'_>) -> impl Iterator<Item = ([&'a str; 2], &'a Standing)> {
    let tournament = report.tournament;
    tournament.courses.iter().zip(report.standings).flat_map(|(course, standings)| {
        let names = tournament.contestants.iter().map(|c| [course.name.as_str(), c.name.as_str()]);
        names.zip(standings)
    })
}
