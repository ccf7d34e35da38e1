//! The definition of a study on a problem.

use crate::problem::Problem;
use rpol::study::{Confidence, Direction, Failure, Model, Objective, Preset, Spec};
use rpol::{Param, Result, Space};

/// Names of the metrics of a problem: `reward`, then `cost`, or `cost1`, `cost2`, ... where there are several.
pub fn metric_names(problem: &Problem) -> Vec<String> {
    let costs = match problem.constraints.len() {
        1 => vec!["cost".to_string()],
        count => (1..=count).map(|i| format!("cost{i}")).collect(),
    };
    std::iter::once("reward".to_string()).chain(costs).collect()
}

/// Maximise `reward` with every `cost <= 0` over the problem's domain; everything else as the preset has it.
///
/// ```
/// use rpol::study::{Preset, Spec};
/// use rpol_lab::{experiment::spec, problem::by_name};
/// let spec = Spec { preset: Preset::Printed, ..spec(&by_name("gardner2").unwrap(), 100, 7).unwrap() };
/// assert_eq!(spec.outputs(), ["reward", "cost"]);
/// ```
pub fn spec(problem: &Problem, horizon: usize, seed: u64) -> Result<Spec> {
    let params = problem.domain.iter().map(|p| (p.name.clone(), Param::float(p.low, p.high)));
    let costs = &metric_names(problem)[1..];
    spec_over(&problem.name, Space::new(params)?, costs, horizon as u64, seed)
}

/// The same over any space, every one of the `costs` at most 0.
pub(crate) fn spec_over(
    name: &str,
    params: Space,
    costs: &[String],
    horizon: u64,
    seed: u64,
) -> Result<Spec> {
    let limit = |cost: &String| format!("{cost} <= 0").parse();
    Ok(Spec {
        name: name.into(),
        seed,
        params,
        objective: Objective::new("reward", Direction::Maximize)?,
        constraints: costs.iter().map(limit).collect::<Result<_>>()?,
        track: Vec::new(),
        horizon: Some(horizon),
        baseline: None,
        initial: None,
        preset: Preset::default(),
        risk: None,
        caution: None,
        algorithm: None,
        policy: None,
        strategy: None,
        drift: None,
        model: Model::default(),
        confidence: Confidence::default(),
        failure: Failure::default(),
        run: None,
    })
}
