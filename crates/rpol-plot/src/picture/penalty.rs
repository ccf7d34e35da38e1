//! The multipliers over the rounds.

use super::sheet::Sheet;
use super::words;
use crate::figure::{Curves, Line};
use rpol::Study;

/// More lines than that are not told apart.
const MOST: usize = 10;

/// The multiplier of every constraint, round by round.
#[must_use]
pub fn penalty(study: &Study) -> String {
    let title = "Penalty trace";
    let constraints = &study.spec().constraints;
    let trace = study.penalty_trace();
    if constraints.is_empty() {
        return Sheet::new(title).empty("The study has no constraints, so no penalties.");
    }
    if trace.is_empty() {
        return Sheet::new(title).empty("No trial has been asked for yet.");
    }
    let line = |(i, constraint): (usize, &rpol::Constraint)| Line {
        label: words::name(&constraint.to_string()),
        mean: trace.iter().filter_map(|round| round.get(i).copied()).collect(),
        half_width: None,
    };
    let mut caption = format!(
        "What one unit of believed violation costs in the score of each decision, over {}.",
        words::count(trace.len(), "round")
    );
    if constraints.len() > MOST {
        let more = words::count(constraints.len() - MOST, "constraint");
        caption += &format!(" {more} more are not drawn.");
    }
    let lines: Vec<Line> = constraints.iter().enumerate().take(MOST).map(line).collect();
    if lines.iter().all(|line| line.mean.is_empty()) {
        return Sheet::new(title).empty("The study's policy uses no penalties.");
    }
    Curves {
        title: title.into(),
        x: "round".into(),
        y: "multiplier".into(),
        caption,
        lines,
        marks: Vec::new(),
    }
    .svg()
}
