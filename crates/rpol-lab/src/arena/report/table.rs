//! Results for people in a terminal.

use super::Report;
use crate::arena::{Overall, Standing};
use crate::paper::Estimate;
use crate::paper::report::aligned;
use rpol_plot::picture::shown;

/// Heading of a column, and what stands in it.
pub(super) type Column<T> = (&'static str, fn(&T) -> String);

/// What is reported of a contestant on a course.
pub(super) const COURSE: [Column<Standing>; 10] = [
    ("R+/T", |s| estimate(Some(s.regret_plus), 1.0)),
    ("V/T", |s| estimate(Some(s.violation), 1.0)),
    ("violating %", |s| estimate(Some(s.violating), 100.0)),
    ("after 100 %", |s| estimate(s.violating_late, 100.0)),
    ("V/T 51-100", |s| estimate(s.violation_middle, 1.0)),
    ("best found", |s| estimate(s.simple_regret, 1.0)),
    ("to 5 %", |s| s.solved_round.map_or("-".into(), |round| round.to_string())),
    ("solved %", |s| percent(s.solved)),
    ("locked %", |s| percent(s.locked)),
    ("ask ms, max", |s| format!("{:.1}, {:.0}", s.ask_ms.mean, s.ask_ms_max)),
];

/// What is reported of a contestant over all courses.
pub(super) const ALL: [Column<Overall>; 5] = [
    ("R+ (random 1)", |o| shown(rounded(o.normal_regret, 3))),
    ("V (random 1)", |o| shown(rounded(o.normal_violation, 3))),
    ("on frontier", |o| o.frontier.to_string()),
    ("solved %", |o| percent(o.solved)),
    ("locked %", |o| percent(o.locked)),
];

/// What the columns mean.
pub(super) const LEGEND: &str = "\
R+/T: mean loss against the optimum, never below 0; V/T: mean violation, summed over the limits; ±: 95 % interval over the seeds;
best found: what the best feasible setting lost; to 5 %: median round that was first feasible and within 5 % of the way from the mean of f
to f*; locked: lost more than half a deviation of f a round in the last third; *: on the frontier of R+ and V";

/// A table for each course and one over all.
pub fn table(report: &Report<'_>) -> String {
    let mut text = format!("{}\n\n", report.settings());
    let names = || report.overall.iter().map(|o| o.name.as_str());
    for (course, standings) in report.tournament.courses.iter().zip(report.standings) {
        let marked = names().zip(standings).map(|(name, s)| starred(name, s));
        text += &format!("{}\n{}\n", course.name, rows(&COURSE, marked, standings));
    }
    let courses = report.standings.len();
    let heading =
        if courses == 1 { "over 1 problem".into() } else { format!("over {courses} problems") };
    text += &format!("{heading}\n{}\n", rows(&ALL, names().map(String::from), report.overall));
    let note = report.note().map_or(String::new(), |note| format!("{note}\n"));
    format!("{text}{LEGEND}\n{note}")
}

/// The name, marked where the contestant is on the frontier.
pub(super) fn starred(name: &str, standing: &Standing) -> String {
    if standing.frontier { format!("{name} *") } else { name.into() }
}

fn rows<T>(columns: &[Column<T>], names: impl Iterator<Item = String>, of: &[T]) -> String {
    let mut rows = vec![vec!["algorithm".to_string()]];
    rows[0].extend(columns.iter().map(|(heading, _)| (*heading).to_string()));
    for (name, item) in names.zip(of) {
        rows.push(
            std::iter::once(name).chain(columns.iter().map(|(_, cell)| cell(item))).collect(),
        );
    }
    aligned(&rows)
}

fn estimate(estimate: Option<Estimate>, factor: f64) -> String {
    let Some(Estimate { mean, half_width }) = estimate else { return "-".into() };
    let mean = shown(rounded(factor * mean, 3));
    half_width.map_or(mean.clone(), |half| format!("{mean} ± {}", shown(rounded(factor * half, 2))))
}

fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

/// The number to so many significant digits.
fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}
