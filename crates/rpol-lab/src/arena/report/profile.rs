//! How soon how many runs are solved.

use super::{Figure, Report};
use crate::arena::Standing;
use rpol_plot::figure::{Curves, Line};

/// The share of all runs that are within 5 % of the optimum, round by round.
pub(super) fn solved(report: &Report<'_>) -> Figure {
    let rounds = report.conditions.rounds;
    let line = |(i, label): (usize, String)| {
        let mine: Vec<&Standing> = report.standings.iter().map(|course| &course[i]).collect();
        Line { label, mean: shares(&mine, rounds), half_width: None }
    };
    let names = report.overall.iter().map(|o| o.name.clone());
    let curves = Curves {
        title: "How soon a setting within 5 % of the optimum is played".into(),
        x: "round".into(),
        y: "share of runs".into(),
        caption: format!(
            "Runs (problems × seeds) that have played a feasible setting within 5 % of the way from the mean of f to f*; \
             where the system changes, counted from the last change. {}.",
            report.settings()
        ),
        lines: names.enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Figure::of("profile", curves)
}

/// Of each round, the share of the runs that were solved by then.
fn shares(standings: &[&Standing], rounds: usize) -> Vec<f64> {
    let runs: Vec<Option<usize>> =
        standings.iter().flat_map(|s| s.scores.iter().map(|score| score.solved)).collect();
    let by = |t: usize| runs.iter().filter(|solved| solved.is_some_and(|s| s <= t)).count();
    (1..=rounds).map(|t| by(t) as f64 / runs.len() as f64).collect()
}
