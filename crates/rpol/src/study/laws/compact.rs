//! How much of the history is compacted makes no difference.

use crate::random::Stream;
use crate::study::log::event::{Event, Reported};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::study::{Study, Suggestion};
use serde_json::{Value, json};

fn spec(overrides: &Value) -> Spec {
    let mut spec = json!({
        "name": "settled", "seed": 5, "objective": "maximize reward",
        "constraints": [{"expression": "cost <= 0", "budget": 30}],
        "params": {"n": {"type": "int", "low": 0, "high": 24}},
    });
    for (key, value) in overrides.as_object().unwrap() {
        spec[key] = value.clone();
    }
    Spec::from_json(&spec.to_string()).unwrap()
}

fn begun(overrides: &Value, keep: usize) -> Study {
    let spec = spec(overrides);
    let plan = Plan { keep, ..Plan::new(&spec).unwrap() };
    Study::begin(spec, plan).unwrap()
}

/// Trials of the system before it jumps.
const BEFORE: u64 = 90;

/// Two metrics of a system that jumps once, some with standard errors.
fn measured(asked: &Suggestion) -> [(&'static str, Reported); 2] {
    let n: f64 = asked.params["n"].to_string().parse().unwrap();
    let mut noise = Stream::new(11, asked.number);
    let mut reported = |name: &str, value: f64| {
        let sem = asked.number.is_multiple_of(5).then(|| 0.05 + 0.1 * noise.uniform());
        let value = value + 0.1 * noise.normal() + if asked.number < BEFORE { 0.0 } else { 2.5 };
        Reported::new(name, value, sem).unwrap()
    };
    let x = n / 24.0;
    [("reward", reported("reward", (5.0 * x).sin())), ("cost", reported("cost", x - 0.6))]
}

/// Asks one by one and several at once, tells late and in parts, fails, adds history; `after` runs after each round.
fn play(study: &mut Study, rounds: u64, mut after: impl FnMut(&mut Study, u64)) {
    let mut late: Vec<Suggestion> = Vec::new();
    for t in 0..rounds {
        let count = if t % 17 == 3 { 3 } else { 1 };
        for asked in study.ask_many(count).unwrap() {
            let [reward, cost] = measured(&asked);
            match asked.number % 13 {
                4 => late.push(asked),
                7 => {
                    study.tell(asked.number, [cost]).unwrap();
                    late.push(asked);
                }
                9 => study.fail(asked.number, "crashed").unwrap(),
                _ => drop(study.tell(asked.number, [reward, cost]).unwrap()),
            }
        }
        if t % 9 == 8 || t + 1 == rounds {
            for asked in late.drain(..) {
                study.tell(asked.number, measured(&asked)).unwrap();
            }
        }
        if t % 20 == 11 {
            let params = study.trials().last().unwrap().params.clone();
            study.add(params, [("reward", 0.3), ("cost", -0.2)]).unwrap();
        }
        after(study, t);
    }
}

fn variants() -> Vec<Value> {
    let fixed = json!({"learn": false, "noise": 0.05});
    vec![
        json!({}),
        json!({"strategy": {"type": "watchful", "threshold": 3, "after": 8}, "model": fixed}),
        json!({"strategy": {"type": "hallucinated"}, "model": fixed}),
        json!({"algorithm": "rpol-ucb", "model": fixed}),
        json!({"preset": "printed", "model": {"noise": 0.05}}),
        json!({"strategy": {"type": "sliding_window", "window": 20}, "model": fixed}),
        json!({"strategy": {"type": "restart", "period": 25}, "model": fixed}),
        json!({"strategy": {"type": "discounted", "factor": 0.9}, "model": fixed}),
        json!({"strategy": {"type": "censored", "within": 6}, "model": fixed}),
        json!({"strategy": {"type": "event_triggered"}, "model": fixed}),
        json!({"algorithm": "epoch-penalty", "model": fixed}),
        json!({"algorithm": "random"}),
    ]
}

fn standing(study: &Study) -> String {
    serde_json::to_string(&(study.status(), study.calibration(), study.ledger())).unwrap()
}

#[test]
fn settling_changes_no_bit_of_a_decision() {
    let mut changes = 0;
    for overrides in variants() {
        let [mut compacted, mut whole] = [4, usize::MAX].map(|keep| begun(&overrides, keep));
        play(&mut compacted, 150, |_, _| ());
        play(&mut whole, 150, |_, _| ());
        assert_eq!(compacted.log(), whole.log(), "{overrides}");
        assert_eq!(standing(&compacted), standing(&whole), "{overrides}");
        assert_eq!(whole.state.compacted.trials, 0);
        changes += whole.log().iter().filter(|e| matches!(e, Event::Changed { .. })).count();
        let strategy = overrides["strategy"]["type"].as_str().unwrap_or_default();
        if !["censored", "discounted", "event_triggered"].contains(&strategy) {
            assert!(compacted.state.compacted.trials > 100, "{overrides}");
        }
        // A replay settles the same.
        let mut again = begun(&overrides, 4);
        again.extend(compacted.log()[1..].to_vec()).unwrap();
        assert_eq!(again.state.compacted.trials, compacted.state.compacted.trials);
        assert_eq!(again.ask().unwrap(), compacted.ask().unwrap(), "{overrides}");
    }
    assert!(changes > 0, "a change on the way, or this shows less");
}

/// A change may be dated to the first round of a run: what came since must still be there trial by trial.
#[test]
fn what_a_suspicion_dates_back_to_does_not_settle() {
    // A threshold in nats at which a doubt takes a while to be settled.
    let watchful = json!({"type": "watchful", "threshold": 40, "after": 8});
    let model = json!({"learn": false, "noise": 0.05});
    let mut study = begun(&json!({"strategy": watchful, "model": model}), 4);
    let mut waited = false;
    play(&mut study, 150, |study, _| {
        let compacted = study.state.compacted.trials;
        let since = study.state.change_test.since();
        let Some((since, last)) = since.zip(compacted.checked_sub(1)) else { return };
        assert!(study.trials()[last as usize].round < since);
        waited |= since < study.state.round - 4;
    });
    assert!(waited, "a suspicion older than what is kept anyway, or this shows nothing");
}

#[test]
fn forgetting_changes_no_bit_of_a_decision() {
    for overrides in variants() {
        let [mut forgetful, mut whole] = [4; 2].map(|keep| begun(&overrides, keep));
        let mut kept = Vec::new();
        play(&mut forgetful, 60, |study, t| {
            kept.extend(study.log()[kept.len() - study.dropped()..].to_vec());
            if t % 7 == 0 {
                study.drop_history().unwrap();
            }
        });
        play(&mut whole, 60, |_, _| ());
        assert_eq!(kept, whole.log(), "{overrides}");
        assert_eq!(forgetful.ledger(), whole.ledger());
        assert_eq!(forgetful.penalties(), whole.penalties());
        assert_eq!(forgetful.calibration(), whole.calibration());
        assert_eq!(
            forgetful.best_trial().map(|trial| trial.number),
            whole.best_trial().map(|trial| trial.number)
        );
        // All or none, also just after.
        forgetful.drop_history().unwrap();
        let length = forgetful.length();
        assert!(forgetful.ask_many(0).is_err() && forgetful.length() == length);
        forgetful.ask_many(3).unwrap();
        forgetful.rewind(length).unwrap();
        assert_eq!(forgetful.ask().unwrap(), whole.ask().unwrap(), "{overrides}");
    }
}

#[test]
fn what_was_forgotten_can_be_neither_seen_nor_changed() {
    let mut study = begun(&json!({"algorithm": "random"}), 4);
    play(&mut study, 40, |_, _| ());
    study.drop_history().unwrap();
    let first = study.trials()[0].number;
    assert!(first > 20);
    let kind = |error: crate::Error| {
        assert!(error.to_string().contains("trial ") && error.to_string().contains("replay"));
        error.kind()
    };
    assert_eq!(study.tell(3, [("reward", 1.0)]).map_err(kind), Err("Compacted"));
    assert_eq!(study.fail(3, "why").map_err(kind), Err("Compacted"));
    assert_eq!(study.void(3, "why").map_err(kind), Err("Compacted"));
    // It is in memory, but what was told of it is not.
    let last = study.trials().last().unwrap().number;
    assert_eq!(study.void(last, "why").map_err(kind), Err("Compacted"));
    let voided = Event::Voided { number: 3, reason: "why".into() };
    assert_eq!(study.extend(vec![voided]).map_err(kind), Err("Compacted"));
    assert_eq!(study.tell(10_000, [("reward", 1.0)]).unwrap_err().kind(), "UnknownTrial");
    // What comes after can.
    let asked = study.ask().unwrap();
    let before = study.ledger();
    study.tell(asked.number, [("reward", 1.0), ("cost", 9.0)]).unwrap();
    assert_ne!(study.ledger(), before);
    study.correct(asked.number, [("cost", 5.0)]).unwrap();
    study.void(asked.number, "wrong machine").unwrap();
    assert_eq!(study.ledger(), before);
}

#[test]
fn a_late_result_of_a_settled_failure_is_refused() {
    let mut study = begun(&json!({"algorithm": "random"}), 4);
    play(&mut study, 60, |_, _| ());
    let before = study.length();
    let error = study.tell(9, [("reward", 1.0), ("cost", 9.0)]).unwrap_err();
    assert!(error.kind() == "Compacted" && error.to_string().contains("history"), "{error}");
    assert_eq!(study.length(), before);
}

#[test]
fn settings_are_few_and_the_error_is_told() {
    let x = json!({"n": {"type": "float", "low": 0, "high": 24}});
    let overrides = json!({"params": x, "policy": {"type": "cautious"},
        "model": {"distinct": 16, "learn": false, "noise": 0.05}});
    let mut study = begun(&overrides, 4);
    play(&mut study, 30, |_, _| ());
    let known = study.status().merged;
    play(&mut study, 90, |study, _| {
        assert!(study.state.compacted.table.len() <= 16);
        let engine = study.engine().unwrap();
        assert!(engine.models.on_values(0).0.factor().len() < 50);
    });
    let merged = study.status().merged.unwrap();
    assert!(merged.settings > 40 && merged.largest > 0.0 && merged.largest < 1.0, "{merged:?}");
    assert!(known.is_none_or(|known| known.largest <= merged.largest));
    assert!(spec(&overrides).model.distinct == Some(16));
    let refused = Spec::from_json(
        &json!({"name": "a", "objective": "y", "params": x, "model": {"distinct": 15}}).to_string(),
    );
    assert!(refused.unwrap_err().to_string().starts_with("model.distinct: 15 settings"));
}

#[test]
fn a_study_that_forgets_keeps_little() {
    let mut study = begun(&json!({"model": {"learn": false, "noise": 0.05}}), 4);
    play(&mut study, 200, |study, t| {
        if t % 10 == 9 {
            study.drop_history().unwrap();
            assert!(study.trials().len() < 100 && study.log().is_empty());
            assert!(study.first_state().trials.kept().len() < 100);
        }
    });
}
