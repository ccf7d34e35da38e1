//! Results for other programs.

use super::Report;
use crate::paper::{SETTINGS, Standing, Summary, VERSION};
use serde_json::{Value, json};

/// What `--format json` prints: `{"experiments": [{"name", "rounds", "seeds", "noise_std", "preset", "algorithms": [...]}]}`.
pub fn digest(report: &Report<'_>) -> Value {
    let experiments: Vec<Value> = report.summaries.iter().map(|s| experiment(report, s)).collect();
    json!({ "experiments": experiments })
}

/// The same with the version, the command, the settings file and every resolved study.
pub fn results(report: &Report<'_>) -> Value {
    let mut results = digest(report);
    results["version"] = json!(VERSION);
    results["command"] = json!(report.command);
    results["settings"] = json!(SETTINGS);
    let spec = |a: &Standing| json!({"name": a.label, "spec": a.spec});
    let studies = report.summaries.iter().flat_map(|s| &s.algorithms).map(spec);
    results["studies"] = studies.collect();
    results
}

fn experiment(report: &Report<'_>, summary: &Summary) -> Value {
    let request = report.request;
    json!({
        "name": summary.experiment.name(),
        "rounds": request.rounds,
        "seeds": request.seeds,
        "noise_std": request.noise.std(),
        "preset": request.preset_name(),
        "algorithms": summary.algorithms.iter().map(algorithm).collect::<Vec<Value>>(),
    })
}

fn algorithm(standing: &Standing) -> Value {
    let mut value = json!(standing.totals);
    value["name"] = json!(standing.label);
    value
}
