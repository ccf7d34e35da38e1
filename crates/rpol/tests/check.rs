//! The conformance suites on every strategy and policy.
#![allow(clippy::unwrap_used)]

use rpol::check;
use serde_json::json;

#[test]
fn every_strategy_keeps_the_laws() {
    for definition in [
        json!({"type": "ucb"}),
        json!({"type": "censored", "within": 4, "bound": 0.2}),
        json!({"type": "censored", "within": 4, "slack": "pending", "printed_bound": true}),
        json!({"type": "hallucinated"}),
        json!({"type": "sliding_window", "window": 6}),
        json!({"type": "sliding_window", "window": 6, "drift": {"const": 0.1}}),
        json!({"type": "sliding_window", "window": 6, "drift": {"oracle": [0.1, 0.0, 0.2]}}),
        json!({"type": "restart", "period": 5}),
        json!({"type": "discounted", "factor": 0.9}),
        json!({"type": "event_triggered", "cusum": 8.0}),
        json!({"type": "watchful", "threshold": 0.5, "after": 2}),
        json!({"type": "master"}),
        json!({"type": "master", "base": {"type": "sliding_window", "window": 6}, "log": 0.1}),
    ] {
        println!("{definition}");
        check::strategy(&serde_json::from_value(definition).unwrap());
    }
}

#[test]
fn every_policy_keeps_the_laws() {
    for definition in [
        json!({"type": "rectified"}),
        json!({"type": "primal_dual"}),
        json!({"type": "primal_dual", "bound_objective": 9.0, "bound_constraint": 4.0, "cap": 2.0, "step": 3.0}),
        json!({"type": "constrained"}),
        json!({"type": "constrained", "when_infeasible": "stop"}),
        json!({"type": "fixed_penalty", "penalty": 3.0}),
        json!({"type": "epoch_penalty", "epoch": 4, "step": 0.3}),
        json!({"type": "safe"}),
        json!({"type": "safe", "expand": 5}),
        json!({"type": "constrained_ei"}),
        json!({"type": "unconstrained"}),
        json!({"type": "random"}),
    ] {
        println!("{definition}");
        check::policy(&serde_json::from_value(definition).unwrap());
    }
}

#[test]
fn every_store_keeps_the_laws() {
    check::store(&rpol::store::Memory::default());
    let memory: std::sync::Arc<dyn rpol::store::Store> =
        std::sync::Arc::new(rpol::store::Memory::default());
    check::shared_store(&memory);
}

#[test]
fn another_definition_under_the_same_name_is_refused_with_the_difference() {
    use rpol::store::{Memory, Shared};
    let spec = |seed: u64| {
        let text = json!({"name": "a", "seed": seed, "objective": "y", "params": {"x": {"type": "float", "low": 0, "high": 1}}});
        rpol::Spec::from_json(&text.to_string()).unwrap()
    };
    let store = std::sync::Arc::new(Memory::default());
    let mut first = Shared::open(store.clone(), spec(1)).unwrap();
    let trial = first.change(|s| s.ask()).unwrap();
    let mut second = Shared::open(store.clone(), spec(1)).unwrap();
    second.change(|s| s.tell(trial.number, [("y", 1.0)])).unwrap();
    second.change(|s| s.void(trial.number, "a test")).unwrap();
    first.refresh().unwrap();
    assert_eq!(first.study().log(), second.study().log());
    let error = Shared::open(store, spec(2)).err().unwrap();
    assert_eq!(error.kind(), "StudyExists");
    assert!(error.to_string().contains("seed was 1 and is 2"), "{error}");
}

#[test]
fn a_shared_study_forgets_and_goes_on_while_the_store_keeps_all() {
    use rpol::store::{Memory, Shared};
    let text = json!({"name": "a", "objective": "y", "algorithm": "random",
        "params": {"x": {"type": "float", "low": 0, "high": 1}}});
    let spec = rpol::Spec::from_json(&text.to_string()).unwrap();
    let store = std::sync::Arc::new(Memory::default());
    let [mut one, mut two] = [0; 2].map(|_| Shared::open(store.clone(), spec.clone()).unwrap());
    for _ in 0..600 {
        let number = one.change(|s| s.ask()).unwrap().number;
        one.change(|s| s.tell(number, [("y", 1.0)])).unwrap();
    }
    one.drop_history().unwrap();
    assert!(one.study().trials().len() < 520 && one.study().log().is_empty());
    assert_eq!(two.change(|s| s.ask()).unwrap().number, 600);
    assert_eq!(one.change(|s| s.ask()).unwrap().number, 601);
    assert_eq!((one.times().len(), one.study().log().len()), (2, 2));
    assert_eq!(one.moments().len(), one.study().trials().len());
    // What is not stored yet cannot be forgotten: nothing of the change is left.
    let error = one.change(|s| s.ask().and_then(|_| s.drop_history())).unwrap_err();
    assert!(error.to_string().contains("drop the history between two changes"), "{error}");
    let whole = Shared::load(store, "a").unwrap();
    assert_eq!((whole.study().trials().len(), whole.study().length()), (602, 1203));
    assert_eq!(one.study().length(), 1203);
}
