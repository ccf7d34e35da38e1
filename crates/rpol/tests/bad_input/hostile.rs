//! Hostile but legal data: twelve rounds under both presets without a panic or a NaN.

use rpol::study::{Spec, Study};
use rpol::{Params, Value};
use serde_json::json;

const ROUNDS: u64 = 12;

fn unit() -> serde_json::Value {
    json!({"x": {"type": "float", "low": 0, "high": 1}, "y": {"type": "float", "low": 0, "high": 1}})
}

/// Runs both presets; `turn` makes the metrics of a round, or none for a trial that failed.
fn both(
    params: &serde_json::Value,
    ask: impl Fn(&mut Study) -> rpol::Result<rpol::study::Suggestion>,
    turn: impl Fn(u64, &Params) -> Option<[f64; 2]>,
) {
    for preset in ["practical", "printed"] {
        let spec = json!({"name": "s", "objective": "reward", "constraints": ["cost <= 0"],
            "params": params, "preset": preset, "horizon": ROUNDS});
        let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
        for round in 0..ROUNDS {
            let asked = ask(&mut study).unwrap();
            match turn(round, &asked.params) {
                Some([reward, cost]) => {
                    study.tell(asked.number, [("reward", reward), ("cost", cost)]).unwrap();
                }
                None => study.fail(asked.number, "no result").unwrap(),
            }
            sound(&study, preset);
        }
        ask(&mut study).unwrap();
        sound(&study, preset);
    }
}

/// serde_json writes null for NaN and infinities: only an absent best and incumbent may be null.
#[track_caller]
fn sound(study: &Study, preset: &str) {
    let mut status = serde_json::to_value(study.status()).unwrap();
    for absent in ["best", "incumbent"] {
        if status[absent].is_null() {
            status[absent] = json!("none");
        }
    }
    let text = serde_json::to_string(&(status, study.log(), study.trials())).unwrap();
    assert!(!text.contains("null"), "{preset}: {text}");
}

fn number(params: &Params, name: &str) -> f64 {
    match params[name] {
        Value::Float(value) => value,
        Value::Int(value) => value as f64,
        _ => 0.0,
    }
}

fn smooth(params: &Params) -> [f64; 2] {
    let sum: f64 = params.keys().map(|name| number(params, name)).sum();
    [(3.0 * sum).sin(), sum - 1.0]
}

#[test]
fn all_trials_failed() {
    both(&unit(), Study::ask, |_, _| None);
}

#[test]
fn every_point_infeasible() {
    both(&unit(), Study::ask, |_, params| Some([smooth(params)[0], 5.0]));
}

#[test]
fn one_choice_beside_a_free_parameter() {
    let params = json!({"x": {"type": "float", "low": 0, "high": 1},
        "mode": {"type": "categorical", "choices": ["only"]}});
    both(&params, Study::ask, |_, params| Some(smooth(params)));
}

#[test]
fn thirty_dimensions() {
    let float = json!({"type": "float", "low": 0, "high": 1});
    let params: serde_json::Map<_, _> = (0..30).map(|i| (format!("p{i}"), float.clone())).collect();
    both(&params.into(), Study::ask, |_, params| Some(smooth(params)));
}

#[test]
fn all_settings_equal() {
    let same = || Params::from([("x".into(), 0.25.into()), ("y".into(), 0.5.into())]);
    both(&unit(), |s| s.ask_for(same()), |_, params| Some(smooth(params)));
    both(&unit(), |s| s.ask_for(same()), |round, _| Some([round as f64, -(round as f64)]));
}

#[test]
fn constant_rewards() {
    both(&unit(), Study::ask, |_, _| Some([0.7, -0.1]));
    both(&unit(), Study::ask, |_, _| Some([0.0, 0.0]));
}

#[test]
fn huge_and_tiny_values() {
    for unit_of in [1e300, 1e-300, 1e-320] {
        both(&unit(), Study::ask, |_, params| Some(smooth(params).map(|v| v * unit_of)));
    }
}

#[test]
fn huge_and_tiny_standard_errors() {
    let spec =
        json!({"name": "s", "objective": "reward", "constraints": ["cost <= 0"], "params": unit()});
    for size in [1e300, 1e-200] {
        for error in [0.0, 1e-3 * size, 4.0] {
            let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
            for _ in 0..ROUNDS {
                let asked = study.ask().unwrap();
                let [reward, cost] = smooth(&asked.params).map(|value| (value * size, error));
                study.tell(asked.number, [("reward", reward), ("cost", cost)]).unwrap();
                sound(&study, "practical");
            }
        }
    }
}

#[test]
fn the_largest_costs_there_are() {
    both(&unit(), Study::ask, |_, params| Some([smooth(params)[0], f64::MAX]));
    both(&unit(), Study::ask, |round, _| {
        let sign = if round % 2 == 0 { 1.0 } else { -1.0 };
        Some([sign * f64::MAX, sign * f64::MAX])
    });
}

#[test]
fn one_outlier() {
    both(&unit(), Study::ask, |round, params| {
        let [reward, cost] = smooth(params);
        Some(if round == 5 { [1e15, 1e15] } else { [reward, cost] })
    });
}

#[test]
fn near_duplicates() {
    let near = |s: &mut Study| {
        let x = 0.25 + s.trials().len() as f64 * 1e-12;
        s.ask_for(Params::from([("x".into(), x.into()), ("y".into(), 0.5.into())]))
    };
    both(&unit(), near, |_, params| Some(smooth(params)));
}

#[test]
fn mixed_spaces() {
    let params = json!({
        "rate": {"type": "float", "low": 1e-6, "high": 1e3, "log": true},
        "shards": {"type": "int", "low": 1, "high": 4096, "log": true},
        "level": {"type": "int", "low": -3, "high": 3},
        "mode": {"type": "categorical", "choices": ["a", 2, true, 0.5]},
        "x": {"type": "float", "low": -5, "high": 10},
    });
    both(&params, Study::ask, |_, params| Some(smooth(params)));
    let choices = json!({"mode": {"type": "categorical", "choices": ["a", "b", "c"]},
        "on": {"type": "categorical", "choices": [true, false]}});
    both(&choices, Study::ask, |round, _| Some([round as f64, 0.1]));
}
