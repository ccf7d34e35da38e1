//! The problems that `bench/peers/problems.py` has written down again are the lab's own: both keep to `bench/peers/values.json`.
#![allow(clippy::unwrap_used)]

use rpol_lab::problem::{Environment, NoiseReading, Problem, by_name};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn compare(values: &Value, name: &str, problems: &[Problem]) {
    for point in values[name].as_array().unwrap() {
        let (x, f, g) = (numbers(&point["x"]), point["f"].as_f64().unwrap(), numbers(&point["g"]));
        assert!(problems.iter().all(|problem| (problem.f(&x) - f).abs() < 1e-12), "f({x:?})");
        let found: Vec<f64> = problems.iter().flat_map(|problem| problem.g(&x)).collect();
        assert_eq!(found.len(), g.len());
        assert!(found.iter().zip(&g).all(|(a, b)| (a - b).abs() < 1e-12), "g({x:?})");
    }
}

#[test]
fn the_peers_play_the_labs_problems() {
    let values = include_str!("../../../bench/peers/values.json");
    let values: Value = serde_json::from_str(values).unwrap();
    let classical = Environment::classical(NoiseReading::Variance).problem_at(1).clone();
    compare(&values, "classical", &[classical]);
    let hartmann = ["hartmann6_ball", "hartmann6_budget"].map(|name| by_name(name).unwrap());
    compare(&values, "hartmann6", &hartmann);
}
