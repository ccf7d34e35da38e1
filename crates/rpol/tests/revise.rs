//! A definition that changes on the way: decisions before it stay, those after it know it, and every copy agrees.
#![allow(clippy::unwrap_used)]

use rpol::store::{Memory, Shared};
use rpol::study::Event;
use rpol::{Spec, Study};
use std::sync::Arc;

fn spec(more: &str) -> Spec {
    Spec::from_toml(&format!(
        "name = 's'\nobjective = 'minimize cost'\n{more}\n\
         [params]\nx = {{ type = 'float', low = 0, high = 1 }}\ny = {{ type = 'float', low = 0, high = 1 }}\n\
         [baseline]\nparams = {{ x = 0.5, y = 0.5 }}"
    ))
    .unwrap()
}

const BEFORE: &str = "constraints = ['load <= 0.9']\nhorizon = 30\nrisk = 0.02";
const AFTER: &str =
    "constraints = [{ expression = 'load <= 0.9', budget = 3 }]\nhorizon = 60\nrisk = 0.4";

fn play(study: &mut Study, rounds: usize) {
    for _ in 0..rounds {
        let trial = study.ask().unwrap();
        let [x, y] = ["x", "y"].map(|name| trial.params[name].as_f64().unwrap());
        let noise = 0.02 * (trial.number as f64).sin();
        let cost = (x - 0.2).powi(2) + (y - 0.9).powi(2) + noise;
        study.tell(trial.number, [("cost", cost), ("load", 0.6 * x + 0.8 * y - noise)]).unwrap();
    }
}

/// Played under one definition and then under the other.
fn revised() -> Study {
    let mut study = Study::create(spec(BEFORE)).unwrap();
    play(&mut study, 14);
    assert!(study.revise(&spec(AFTER)).unwrap());
    play(&mut study, 14);
    study
}

#[test]
fn what_was_decided_stays_and_what_follows_is_under_the_new_definition() {
    let study = revised();
    assert_eq!(study.spec().differences(&spec(AFTER)), Vec::<String>::new());
    assert_eq!(study.ledger()[0].budget, Some(3.0));
    let mut unrevised = Study::create(spec(BEFORE)).unwrap();
    play(&mut unrevised, 28);
    let asked = |study: &Study| -> Vec<Event> {
        study.log().iter().filter(|e| matches!(e, Event::Asked { .. })).cloned().collect()
    };
    let (ours, theirs) = (asked(&study), asked(&unrevised));
    assert_eq!(ours[..14], theirs[..14]);
    assert_ne!(ours[14..], theirs[14..], "twenty times the risk is played otherwise");
    assert!(!study.clone().revise(&spec(AFTER)).unwrap(), "nothing is left to change");
}

#[test]
fn every_copy_goes_the_same_way() {
    let study = revised();
    assert_eq!(Study::audit(study.log(), |_| ()).unwrap(), Vec::<u64>::new());
    let replayed = Study::replay(study.log().to_vec()).unwrap();
    assert_eq!(replayed.spec(), study.spec());
    assert_eq!(replayed.penalty_trace(), study.penalty_trace());
    assert_eq!(replayed.penalties(), study.penalties());
    let next = |mut study: Study| serde_json::to_string(&study.ask().unwrap()).unwrap();
    assert_eq!(next(replayed), next(study.clone()));
    // One that follows the other's log, in pieces.
    let mut follower = Study::create(spec(BEFORE)).unwrap();
    for events in study.log()[1..].chunks(5) {
        follower.extend(events.to_vec()).unwrap();
    }
    assert_eq!(next(follower), next(study.clone()));
    // And one that has forgotten what came before.
    let mut forgetful = study.clone();
    forgetful.drop_history().unwrap();
    let mut amended = study.clone();
    play(&mut forgetful, 2);
    play(&mut amended, 2);
    assert_eq!(next(forgetful), next(amended.clone()));
    // A void folds the log again, under each definition in its turn.
    amended.void(20, "a broken probe").unwrap();
    assert_eq!(amended.spec(), study.spec());
    assert_eq!(Study::replay(amended.log().to_vec()).unwrap().penalties(), amended.penalties());
}

#[test]
fn what_the_study_is_about_does_not_change() {
    let mut study = revised();
    let before = study.log().len();
    for (other, field) in [
        (AFTER.replace("0.9", "0.8"), "constraints"),
        (AFTER.replace("]\nh", ", 'cost <= 9']\nh"), "constraints"),
        (format!("seed = 4\n{AFTER}"), "seed"),
    ] {
        let refused = study.revise(&spec(&other)).unwrap_err();
        assert!(
            refused.kind() == "StudyExists" && refused.to_string().contains(field),
            "{refused}"
        );
    }
    assert_eq!((study.log().len(), study.spec().horizon), (before, Some(60)));
    let mut log = study.log().to_vec();
    let at = log.iter().position(|e| matches!(e, Event::Revised(_))).unwrap();
    let absurd = serde_json::json!({"event": "revised", "risk": 7});
    log[at] = serde_json::from_value(absurd).unwrap();
    assert!(Study::replay(log).unwrap_err().to_string().contains("risk"));
}

#[test]
fn how_sure_a_recommendation_must_be_may_change_and_stays_where_nothing_is_said_of_it() {
    let with = |level: &str| spec(&format!("confidence = {level}\n{BEFORE}"));
    let mut study = Study::create(with("0.95")).unwrap();
    assert!(study.revise(&with("0.8")).unwrap());
    assert_eq!(Study::replay(study.log().to_vec()).unwrap().spec().confidence.level(), 0.8);
    assert!(study.revise(&spec(BEFORE)).unwrap(), "left out, it is the default");
    let replayed = Study::replay(study.log().to_vec()).unwrap();
    assert_eq!((replayed.spec(), study.spec().confidence.level), (study.spec(), None));
    let mut unsure = with("0.8");
    unsure.confidence.level = Some(0.2);
    assert!(study.revise(&unsure).unwrap_err().to_string().contains("0.2 is no confidence"));
    assert!(study.revise(&with("{ level = 0.8, gain = 'greedy' }")).is_err(), "the width stays");
    // A log of before it could change.
    let created = Study::create(with("0.95")).unwrap().log()[0].clone();
    let old =
        serde_json::from_value(serde_json::json!({"event": "revised", "horizon": 9})).unwrap();
    assert_eq!(Study::replay(vec![created, old]).unwrap().spec().confidence.level(), 0.95);
}

#[test]
fn two_that_share_a_store_learn_of_it() {
    let store = Arc::new(Memory::default());
    let mut one = Shared::open(store.clone(), spec(BEFORE)).unwrap();
    one.change(|study| study.ask()).unwrap();
    assert!(Shared::open(store.clone(), spec(AFTER)).is_err(), "only who says so changes it");
    let (two, revised) = Shared::open_or_revise(store.clone(), spec(AFTER)).unwrap();
    assert!(revised);
    one.refresh().unwrap();
    assert_eq!(one.study().spec(), two.study().spec());
    assert!(!Shared::open_or_revise(store, spec(AFTER)).unwrap().1);
}
