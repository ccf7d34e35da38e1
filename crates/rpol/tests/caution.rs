//! The caution dial through a study.
#![allow(clippy::unwrap_used)]

use rpol::random::Stream;
use rpol::study::{By, Trial};
use rpol::{Spec, Study};
use serde_json::{Value, json};

fn definition(overrides: Value) -> Value {
    let mut spec = json!({
        "name": "dial", "objective": "maximize reward", "constraints": ["load <= 0.6"],
        "params": {"x": {"type": "float", "low": 0, "high": 1}},
    });
    for (field, value) in overrides.as_object().unwrap() {
        spec[field] = value.clone();
    }
    spec
}

/// More is better, and beyond 0.6 is too much.
fn play(overrides: Value, rounds: usize) -> (Study, Vec<f64>) {
    let spec = Spec::from_json(&definition(overrides).to_string()).unwrap();
    let mut study = Study::create(spec).unwrap();
    let mut played = Vec::new();
    for _ in 0..rounds {
        let asked = study.ask().unwrap();
        let x = asked.params["x"].as_f64().unwrap();
        let mut noise = Stream::new(5, asked.number);
        let mut noisy = |value: f64| value + 0.02 * noise.normal();
        study.tell(asked.number, [("reward", noisy(x)), ("load", noisy(x))]).unwrap();
        played.push(x);
    }
    (study, played)
}

fn violation(played: &[f64]) -> f64 {
    played.iter().map(|x| (x - 0.6).max(0.0)).sum()
}

#[test]
fn more_caution_violates_less() {
    let baseline = json!({"params": {"x": 0.2}});
    let dial = [0.0, 0.5, 0.9, 1.0].map(|caution| {
        let overrides = json!({"caution": caution, "initial": 0, "baseline": baseline});
        violation(&play(overrides, 40).1)
    });
    assert!(dial.windows(2).all(|pair| pair[1] <= pair[0]) && dial[3] < dial[0], "{dial:?}");
}

#[test]
fn full_caution_stays_within_and_still_gets_on() {
    let baseline = json!({"params": {"x": 0.2}});
    let overrides = json!({"caution": 1, "baseline": baseline});
    let (study, played) = play(overrides, 40);
    assert!(violation(&played) < 0.02, "{played:?}");
    // The baseline has the last word: noise alone may end the search for good.
    let mut end = played[30..].to_vec();
    end.sort_by(f64::total_cmp);
    assert!(end[5] > 0.5, "from 0.2 towards 0.6: {played:?}");
    let incumbent = study.incumbent().unwrap().unwrap()["x"].as_f64().unwrap();
    assert!((0.5..0.6).contains(&incumbent), "{incumbent}");
}

#[test]
fn who_plays_only_what_is_sure_opens_with_no_quasi_random_settings() {
    let designed = |overrides: Value| {
        let mut overrides = overrides;
        overrides["baseline"] = json!({"params": {"x": 0.2}});
        let by = |trial: &&Trial| trial.decision.as_ref().is_some_and(|d| d.by == By::Design);
        play(overrides, 5).0.trials().iter().filter(by).count()
    };
    assert_eq!(designed(json!({"caution": 0})), 2, "nothing is promised");
    assert_eq!(designed(json!({})), 0);
    assert_eq!(designed(json!({"caution": 1, "initial": 3})), 3);
    for sure in [json!({"caution": 1}), json!({"algorithm": "safeopt"})] {
        assert_eq!(designed(sure.clone()), 0, "{sure}");
    }
}

#[test]
fn a_spent_budget_is_full_caution() {
    let constraint = |budget: f64| json!([{"expression": "load <= 0.6", "budget": budget}]);
    let late = |budget: f64| {
        let (_, played) = play(json!({"caution": 0, "constraints": constraint(budget)}), 40);
        violation(&played[15..])
    };
    let (small, large) = (late(0.05), late(1e6));
    assert!(small < 0.3 * large, "{small} {large}");
}

#[test]
fn a_dial_off_its_scale_or_without_its_policy_is_refused() {
    let refused = |overrides: Value| {
        Spec::from_json(&definition(overrides).to_string()).unwrap_err().to_string()
    };
    for caution in [-0.1, 1.5] {
        let words = refused(json!({"caution": caution}));
        assert!(words.contains("caution") && words.contains("from 0 to 1"), "{words}");
    }
    for other in [
        json!({"policy": {"type": "constrained"}}),
        json!({"algorithm": "config"}),
        json!({"preset": "printed"}),
    ] {
        let mut overrides = other;
        overrides["caution"] = json!(0.5);
        let words = refused(overrides);
        assert!(words.contains("caution") && words.contains("leave out one"), "{words}");
    }
}
