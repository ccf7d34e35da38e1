//! The results of the live course as rows for spreadsheets.

use crate::common::table::{Cell, Table};
use anyhow::Result;
use rpol_lab::live::report::Report;
use rpol_lab::live::{Score, Standing};
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Writes both tables.
pub(super) fn write(report: &Report<'_>, folder: &Path) -> Result<()> {
    write_whole(&folder.join("standings.csv"), standings(report).csv().as_bytes(), Replace::Own)?;
    write_whole(&folder.join("runs.csv"), runs(report).csv().as_bytes(), Replace::Own)
}

type Column<T> = (&'static str, fn(&T) -> Cell);

const STANDING: [Column<Standing>; 12] = [
    ("over", |s| s.over.into()),
    ("over_late", |s| s.over_late.into()),
    ("failures", |s| s.failures.into()),
    ("normal_violation", |s| s.normal_violation.into()),
    ("gain", |s| s.gain.into()),
    ("gain_median", |s| s.gain_median.into()),
    ("gain_least", |s| s.gain_least.into()),
    ("sound", |s| s.sound.into()),
    ("risk", |s| s.risk.into()),
    ("kept", |s| (1.0 - s.broken).into()),
    ("runs", |s| (s.scores.len() as u64).into()),
    ("ask_ms", |s| s.ask_ms.into()),
];

/// A row for each player on each system.
pub(super) fn standings(report: &Report<'_>) -> Table {
    let names = ["system", "player"].into_iter();
    let header = names.chain(STANDING.map(|(name, _)| name)).map(String::from);
    let row = |s: &Standing| {
        let mut row: Vec<Cell> = vec![s.system.as_str().into(), s.player.as_str().into()];
        row.extend(STANDING.map(|(_, of)| of(s)));
        row
    };
    let rows = report.standings.iter().map(row).collect();
    Table { header: header.collect(), rows, ..Table::default() }
}

const RUN: [Column<Score>; 11] = [
    ("over", |s| s.over.into()),
    ("over_late", |s| s.over_late.into()),
    ("failures", |s| (s.failures as u64).into()),
    ("normal_violation", |s| s.normal_violation.into()),
    ("gain", |s| s.gain.into()),
    ("sound", |s| u64::from(s.sound).into()),
    ("recommended_over", |s| s.recommended_over.into()),
    ("best_feasible", |s| s.best_feasible.into()),
    ("risk", |s| s.risk.into()),
    ("kept", |s| u64::from(s.kept).into()),
    ("ask_ms", |s| s.ask_ms.into()),
];

/// A row for each run.
fn runs(report: &Report<'_>) -> Table {
    let names = ["system", "player", "seed"].into_iter();
    let header = names.chain(RUN.map(|(name, _)| name)).map(String::from);
    let mut rows = Vec::new();
    for standing in report.standings {
        for (seed, score) in report.tournament.seeds.clone().zip(&standing.scores) {
            let (system, player) = (standing.system.as_str(), standing.player.as_str());
            let mut row: Vec<Cell> = vec![system.into(), player.into(), seed.into()];
            row.extend(RUN.map(|(_, of)| of(score)));
            rows.push(row);
        }
    }
    Table { header: header.collect(), rows, ..Table::default() }
}
