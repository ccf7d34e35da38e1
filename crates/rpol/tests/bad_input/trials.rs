//! The table "Trials".

use super::{definition, refused, running, says, seen, setting, study};
use rpol::study::{Spec, Study, Told, TrialState};
use serde_json::json;

#[test]
fn an_unknown_number() {
    let mut study = running();
    let words = ["no trial 7", "this study has 7 so far", "from 0"];
    refused(&mut study, |s| s.tell(7, [("reward", 1.0)]), "UnknownTrial", &words);
    refused(&mut study, |s| s.fail(7, "why"), "UnknownTrial", &words);
    refused(&mut study, |s| s.void(7, "why"), "UnknownTrial", &words);
    refused(&mut study, |s| s.correct(7, [("reward", 1.0)]), "UnknownTrial", &words);
    let largest = |s: &mut Study| s.tell(u64::MAX, [("reward", 1.0)]);
    refused(&mut study, largest, "UnknownTrial", &["18446744073709551615"]);
}

#[test]
fn the_same_tell_twice() {
    let mut study = running();
    assert_eq!(study.tell(6, [("reward", 1.5), ("cost", -0.0)]).unwrap(), Told::New);
    let before = seen(&study);
    assert_eq!(study.tell(6, [("reward", 1.5), ("cost", 0.0)]).unwrap(), Told::Repeated);
    assert_eq!(study.tell(6, [("reward", 1.5)]).unwrap(), Told::Repeated);
    assert_eq!(before, seen(&study));
}

#[test]
fn a_second_tell_with_other_values() {
    let mut study = running();
    let words = ["reward of trial 0", "told as 0 and now as 9", "correct it", "void"];
    refused(&mut study, |s| s.tell(0, [("reward", 9.0)]), "AlreadyTold", &words);
    // Nothing of a tell is kept when a part of it is refused.
    let mixed = |s: &mut Study| s.tell(0, [("memory", 1.0), ("reward", 9.0)]);
    refused(&mut study, mixed, "AlreadyTold", &words);
}

#[test]
fn a_correction_is_its_own_call_with_a_trail() {
    let mut study = running();
    let before = study.log().to_vec();
    study.correct(5, [("reward", 9.0)]).unwrap();
    assert_eq!(study.log()[..before.len()], before);
    assert_eq!(study.status().best.unwrap().metrics["reward"].value.get(), 9.0);
    refused(
        &mut study,
        |s| s.correct(6, [("reward", 9.0)]),
        "UnknownName",
        &["trial 6", "\"reward\""],
    );
}

#[test]
fn tells_out_of_order_and_in_parts() {
    // The paper's penalty sums what is told, so that it shows what was counted twice.
    let mut definition = definition();
    definition["preset"] = json!("printed");
    let mut study = Study::create(Spec::from_json(&definition.to_string()).unwrap()).unwrap();
    let numbers: Vec<u64> = (0..4).map(|_| study.ask().unwrap().number).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    study.tell(2, [("reward", 1.0), ("cost", 2.0)]).unwrap();
    study.tell(0, [("reward", 5.0)]).unwrap();
    assert_eq!(study.trials()[0].state, TrialState::Running);
    study.tell(3, [("cost", 0.25)]).unwrap();
    study.tell(0, [("cost", 1.0)]).unwrap();
    assert_eq!(study.trials()[0].state, TrialState::Complete);
    assert_eq!(study.trials()[3].state, TrialState::Running, "cost but never a reward");
    let account = &study.status().ledger[0];
    assert_eq!((account.total, account.observed), (3.25, 3), "each value folds once");
    study.ask().unwrap();
    assert_eq!(study.penalties(), [3f64.sqrt() + 3.25]);
    let told = |e: &rpol::study::Event| match e {
        rpol::study::Event::Told { number, .. } => Some(*number),
        _ => None,
    };
    let order: Vec<u64> = study.log().iter().filter_map(told).collect();
    assert_eq!(order, [2, 0, 3, 0], "the order of arrival is on record");
}

#[test]
fn a_missing_constraint_value_is_never_feasible() {
    let mut study = study();
    let number = study.ask().unwrap().number;
    study.tell(number, [("reward", 5.0)]).unwrap();
    assert_eq!(study.trials()[0].is_feasible(), None);
    assert!(study.best_trial().is_none());
}

#[test]
fn unknown_metrics_and_none() {
    let mut study = running();
    let known = r#"use one of "reward", "cost", "memory""#;
    refused(&mut study, |s| s.tell(6, [("Reward", 1.0)]), "UnknownName", &["\"Reward\"", known]);
    let mixed = |s: &mut Study| s.tell(6, [("reward", 1.0), ("\u{1b}[2J", 1.0)]);
    refused(&mut study, mixed, "UnknownName", &[r"\u{1b}", known]);
    let none: [(&str, f64); 0] = [];
    let words = ["metrics is missing", r#""reward", "cost""#];
    refused(&mut study, |s| s.tell(6, none), "Missing", &words);
    refused(&mut study, |s| s.add(setting(0.0, 1), none), "Missing", &words);
}

#[test]
fn a_late_tell_is_kept_and_counts() {
    let mut study = running();
    study.fail(6, "the lease expired").unwrap();
    assert_eq!(study.trials()[6].state, TrialState::Fail);
    study.ask().unwrap();
    study.tell(6, [("reward", 99.0), ("cost", -1.0)]).unwrap();
    assert_eq!(study.best_trial().unwrap().number, 6);
    assert_eq!(study.status().ledger[0].observed, 7);
}

#[test]
fn a_voided_trial_stays_void() {
    let mut study = running();
    study.void(6, "wrong host").unwrap();
    study.fail(6, "it ended").unwrap();
    let before = study.status().ledger;
    study.tell(6, [("reward", 99.0), ("cost", 50.0)]).unwrap();
    assert_eq!(study.status().ledger, before);
    assert_ne!(study.best_trial().unwrap().number, 6);
    assert_eq!(seen(&Study::replay(study.log().to_vec()).unwrap()), seen(&study));
}

#[test]
fn two_asks_at_once() {
    let mut both = running();
    let second = both.ask().unwrap();
    let third = both.ask().unwrap();
    assert_eq!((second.number, third.number), (7, 8));
    let gains = both.status().information_gain;
    let mut one = running();
    one.ask().unwrap();
    assert!(gains[0] > one.status().information_gain[0], "a pending trial narrows the deviation");
}

#[test]
fn counts_that_are_no_counts() {
    let mut study = running();
    for count in [0, 1001, 1_000_000_000, u64::MAX] {
        let words = ["count", &count.to_string(), "ask for 1 to 1000"];
        refused(&mut study, |s| s.ask_many(count), "InvalidSpec", &words);
    }
    let numbers: Vec<u64> = study.ask_many(3).unwrap().iter().map(|s| s.number).collect();
    assert_eq!(numbers, [7, 8, 9]);
}

/// The model is fitted before a decision is refused: nothing of that may stay.
#[test]
fn a_refused_ask_leaves_no_trace() {
    let mut spec = definition();
    spec["initial"] = json!(2);
    spec["policy"] = json!({"type": "constrained", "when_infeasible": "stop"});
    let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
    for _ in 0..2 {
        let number = study.ask().unwrap().number;
        study.tell(number, [("reward", 1.0), ("cost", 500.0)]).unwrap();
    }
    for i in 0..8i32 {
        study
            .add(
                setting(f64::from(i), i64::from(i) + 1),
                [("reward", 1.0), ("cost", 500.0 + f64::from(i))],
            )
            .unwrap();
    }
    refused(&mut study, Study::ask, "Infeasible", &["no setting", "relax a constraint"]);
    refused(&mut study, |s| s.ask_many(3), "Infeasible", &["widen the parameters"]);
    let mut safe = definition();
    safe["algorithm"] = json!("safeopt");
    let mut study = Study::create(Spec::from_json(&safe.to_string()).unwrap()).unwrap();
    let count = 5;
    refused(&mut study, |s| s.ask_many(count), "NoSafeStart", &["give a baseline"]);
}

#[test]
fn a_log_that_was_tampered_with() {
    let study = running();
    let tampered = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        let mut log: Vec<_> =
            study.log().iter().map(|e| serde_json::to_value(e).unwrap()).collect();
        change(&mut log);
        let log = log.into_iter().map(|e| serde_json::from_value(e).unwrap()).collect();
        Study::replay(log).unwrap_err()
    };
    let at = |kind: &str| {
        study.log().iter().position(|e| serde_json::to_value(e).unwrap()["event"] == kind).unwrap()
    };
    says(&tampered(&|log| log.clear()), "InvalidLog", &["entry 0", "begin with `created`"]);
    says(&tampered(&|log| drop(log.remove(1))), "InvalidLog", &["entry 1"]);
    says(
        &tampered(&|log| log[2]["metrics"]["typo"] = json!(1)),
        "InvalidLog",
        &["entry 2", "typo"],
    );
    says(&tampered(&|log| log.push(log[2].clone())), "InvalidLog", &["trial 0", "twice"]);
    let fitted = at("fitted");
    says(
        &tampered(&|log| log[fitted]["outputs"][0]["noise"] = json!(-1)),
        "InvalidLog",
        &["noise"],
    );
    let lengths = |log: &mut Vec<serde_json::Value>| {
        log[fitted]["outputs"][0]["kernel"]["kernel"]["lengthscales"] = json!([1.0]);
    };
    says(&tampered(&lengths), "InvalidLog", &["lengthscales"]);
}
