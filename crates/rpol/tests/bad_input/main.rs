//! Bad input through the library: one test for each row of the tables, and the hostile but legal data.
#![allow(clippy::unwrap_used)]

mod definitions;
mod hostile;
mod logs;
mod numbers;
mod trials;

use rpol::study::{Spec, Study};
use rpol::{Error, Params, Value};
use serde_json::json;

/// Two parameters, one objective and one constraint, both with a bound.
fn definition() -> serde_json::Value {
    json!({
        "name": "s",
        "objective": {"metric": "reward", "direction": "maximize", "bound": 1e6},
        "constraints": [{"expression": "cost <= 0", "bound": 1e3}],
        "track": ["memory"],
        "params": {"x": {"type": "float", "low": -5, "high": 10}, "n": {"type": "int", "low": 1, "high": 8}},
    })
}

fn study() -> Study {
    Study::create(Spec::from_json(&definition().to_string()).unwrap()).unwrap()
}

/// Six trials told, one open.
fn running() -> Study {
    let mut study = study();
    for i in 0..6 {
        let number = study.ask().unwrap().number;
        study.tell(number, [("reward", f64::from(i)), ("cost", 0.5 - f64::from(i) * 0.2)]).unwrap();
    }
    study.ask().unwrap();
    study
}

fn setting(x: impl Into<Value>, n: impl Into<Value>) -> Params {
    Params::from([("x".into(), x.into()), ("n".into(), n.into())])
}

/// All that can be seen of a study.
fn seen(study: &Study) -> String {
    let state = (study.status(), study.log(), study.trials());
    serde_json::to_string(&state).unwrap()
}

/// The error has this kind and its message these words.
#[track_caller]
fn says(error: &Error, kind: &str, words: &[&str]) {
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    for word in words {
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
    assert!(!message.chars().any(char::is_control) && message.len() < 900, "{message:?}");
}

/// The call fails like this, and the state before equals the state after.
#[track_caller]
fn refused<T: std::fmt::Debug>(
    study: &mut Study,
    call: impl FnOnce(&mut Study) -> rpol::Result<T>,
    kind: &str,
    words: &[&str],
) {
    let before = seen(study);
    says(&call(study).unwrap_err(), kind, words);
    assert_eq!(before, seen(study));
}
