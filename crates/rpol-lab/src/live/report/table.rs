//! Results for people in a terminal.

use super::Report;
use crate::live::standing::Standing;
use crate::paper::report::aligned;

/// Heading of a column, and what stands in it, of so many rounds.
pub(super) type Column = (&'static str, fn(&Standing, f64) -> String);

/// What is reported of a player on a system.
pub(super) const COLUMNS: [Column; 11] = [
    ("over", |s, t| format!("{:.1}", t * s.over)),
    ("late", |s, t| format!("{:.1}", t / 2.0 * s.over_late)),
    ("failed", |s, _| format!("{:.1}", s.failures)),
    ("V (random 1)", |s, _| format!("{:.3}", s.normal_violation)),
    ("gain %", |s, _| percent(s.gain)),
    ("median", |s, _| percent(s.gain_median)),
    ("least", |s, _| percent(s.gain_least)),
    ("sound %", |s, _| percent(s.sound)),
    ("kept %", |s, _| percent(1.0 - s.broken)),
    ("risk", |s, _| format!("{:.2}", s.risk)),
    ("ask ms", |s, _| format!("{:.1}", s.ask_ms)),
];

/// What the columns mean.
pub(super) const LEGEND: &str = "\
over: trials that broke a limit as measured, or failed; late: those of the second half; V: what the limits were broken by, where uniform random
play is 1 and a failure is as bad as its worst; gain: how far the recommended setting comes from the baseline to the best known, by true
means; sound: runs whose recommended setting truly keeps its limits; kept: runs with no more trials over than the risk and three points";

/// A row for each player on each system, and for each player over all.
pub fn table(report: &Report<'_>) -> String {
    let mut rows = vec![vec!["system".to_string(), "player".to_string()]];
    rows[0].extend(COLUMNS.iter().map(|(heading, _)| (*heading).to_string()));
    let rounds = report.tournament.rounds as f64;
    let overall = report.overall();
    let several = report.tournament.systems.len() > 1;
    let last = overall.iter().filter(|_| several);
    for standing in report.standings.iter().chain(last) {
        let mut row = vec![standing.system.clone(), standing.player.clone()];
        row.extend(COLUMNS.iter().map(|(_, cell)| cell(standing, rounds)));
        rows.push(row);
    }
    format!("{}\n\n{}\n{LEGEND}\n", report.settings(), aligned(&rows))
}

fn percent(share: f64) -> String {
    // The sum turns -0.0 into 0.0.
    format!("{:.0}", (100.0 * share).round() + 0.0)
}
