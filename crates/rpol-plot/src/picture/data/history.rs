//! Values of the objective in the order of the trials.

use rpol::Study;
use rpol::study::{By, Direction, Trial, TrialState};

/// A trial that has a value of the objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The trial's number.
    pub number: u64,
    /// The objective, in the user's unit and sign.
    pub value: f64,
    /// Whether it kept every constraint; `None` while one is unknown.
    pub feasible: Option<bool>,
}

/// Values of the objective in the order of the trials.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Every trial with a value that counts.
    pub points: Vec<Point>,
    /// The best feasible value so far, at each trial that improved it.
    pub best: Vec<(u64, f64)>,
    /// The objective of the baseline, where it is known.
    pub baseline: Option<f64>,
    /// Trials that gave no value.
    pub failed: Vec<u64>,
    /// Trials in all.
    pub trials: usize,
}

/// The trials with a value of the objective; those voided count no more.
#[must_use]
pub fn points(study: &Study) -> Vec<Point> {
    let counted = study.trials().iter().filter(|trial| trial.state != TrialState::Abandoned);
    counted
        .filter_map(|trial| {
            let value = objective(study, trial)?;
            Some(Point { number: trial.number, value, feasible: trial.is_feasible() })
        })
        .collect()
}

/// The history of a study.
#[must_use]
pub fn history(study: &Study) -> History {
    let points = points(study);
    let is_better = |new: f64, old: f64| match study.spec().objective.direction() {
        Direction::Minimize => new < old,
        Direction::Maximize => new > old,
    };
    let mut best: Vec<(u64, f64)> = Vec::new();
    for point in points.iter().filter(|point| point.feasible == Some(true)) {
        if best.last().is_none_or(|(_, old)| is_better(point.value, *old)) {
            best.push((point.number, point.value));
        }
    }
    let failed = study
        .trials()
        .iter()
        .filter(|trial| trial.state == TrialState::Fail && objective(study, trial).is_none());
    History {
        best,
        baseline: baseline(study),
        failed: failed.map(|trial| trial.number).collect(),
        trials: study.trials().len(),
        points,
    }
}

fn objective(study: &Study, trial: &Trial) -> Option<f64> {
    trial.metrics.get(study.spec().objective.metric()).map(|reported| reported.value.get())
}

/// The baseline's objective: what the definition says of it, else what its own trial measured.
#[must_use]
pub fn baseline(study: &Study) -> Option<f64> {
    let given = study.spec().baseline.as_ref()?.metrics.get(study.spec().objective.metric());
    let is_own = |trial: &&Trial| {
        trial.state != TrialState::Abandoned
            && trial.decision.as_ref().is_some_and(|decision| decision.by == By::Baseline)
    };
    let measured = || study.trials().iter().filter(is_own).find_map(|t| objective(study, t));
    given.copied().or_else(measured)
}
