//! What the models believe, in the metrics' own units.

use crate::failure::Failure;
use crate::spec::written;
use rpol::constraint::{Constraint, Direction};
use rpol::study::{Belief, Prediction};
use rpol::{Params, Study};
use serde::Serialize;

#[derive(Serialize)]
struct Predicted {
    objective: Belief,
    limits: Vec<Limit>,
}

/// The metric of a limit, and the probability that its mean keeps the limit.
#[derive(Serialize)]
struct Limit {
    constraint: String,
    metric: String,
    mean: f64,
    deviation: f64,
    within: f64,
}

/// As a JSON list; `null` while there is no model, or the baseline that a limit refers to was not measured.
pub(crate) fn predicted(study: &Study, settings: &[Params]) -> Result<String, Failure> {
    let predictions = study.predict(settings)?;
    let all = |each: Vec<Prediction>| each.iter().map(|at| in_metrics(study, at)).collect();
    let predicted: Option<Vec<Predicted>> = predictions.and_then(all);
    written(&predicted)
}

fn in_metrics(study: &Study, at: &Prediction) -> Option<Predicted> {
    let believed = at.constraints.iter().zip(&at.within);
    let limits = study.spec().constraints.iter().zip(believed);
    let limits = limits.map(|(constraint, (g, within))| limit(study, constraint, *g, *within));
    Some(Predicted { objective: at.objective, limits: limits.collect::<Option<_>>()? })
}

fn limit(study: &Study, constraint: &Constraint, g: Belief, within: f64) -> Option<Limit> {
    let metric = constraint.metric();
    let threshold = constraint.threshold().at(study.baseline_metrics().get(metric).copied())?;
    let mean = match constraint.direction() {
        Direction::AtMost => threshold + g.mean,
        Direction::AtLeast => threshold - g.mean,
    };
    let (constraint, metric) = (constraint.to_string(), metric.to_string());
    Some(Limit { constraint, metric, mean, deviation: g.deviation, within })
}
