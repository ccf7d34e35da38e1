//! Who has a trial, and what becomes of it when two had it.
#![allow(missing_docs, clippy::unwrap_used)]

use rpol::store::{Memory, Shared, Worker, standing};
use rpol::study::{Lease, Told, TrialState};
use rpol::{Error, Spec, Study};
use std::sync::Arc;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

fn study() -> Shared {
    let text = "name = 's'\nobjective = 'cost'\nconstraints = ['p99 <= 1']\n[params]\nx = { type = 'float', low = 0, high = 1 }";
    Shared::open(Arc::new(Memory::default()), Spec::from_toml(text).unwrap()).unwrap()
}

/// As after a suspension: the calendar says that it is long over.
fn over(worker: &str) -> Lease {
    Lease::new(worker, 1)
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_lives_keeps_its_trial_past_its_lease() {
    let (mut study, own) = (study(), Worker::own().name());
    for number in 0..2 {
        assert_eq!(study.issue(&own, Duration::ZERO).unwrap().suggestion.number, number);
        study.change(|s| s.claim(number, over(&own))).unwrap();
    }
    let trials = study.study().trials();
    assert!(trials.iter().all(|trial| standing(trial) == TrialState::Running));
    for worker in [&own[..], "another"] {
        assert!(!study.issue(worker, MINUTE).unwrap().again, "{worker} took a trial that is run");
    }
    study.release(1, &own).unwrap();
    let issued = study.issue(&own, MINUTE).unwrap();
    assert_eq!((issued.suggestion.number, issued.again), (1, true), "it was given back");
}

#[test]
fn who_is_not_known_keeps_a_trial_until_its_lease_is_over() {
    let mut study = study();
    study.issue("ask", MINUTE).unwrap();
    assert!(!study.issue("ask", MINUTE).unwrap().again);
    study.change(|s| s.claim(0, over("ask"))).unwrap();
    assert_eq!(study.issue("ask", MINUTE).unwrap().suggestion.number, 0);
}

/// Trial 0, which `one` had and `two` has now.
fn issued_twice() -> Shared {
    let mut study = study();
    study.issue("worker", Duration::ZERO).unwrap();
    study.release(0, "worker").unwrap();
    assert!(study.issue("worker", MINUTE).unwrap().again);
    study
}

fn tell(study: &mut Shared, cost: f64, p99: f64) -> Result<Told, Error> {
    study.change(|s| s.tell(0, [("cost", cost), ("p99", p99)]))
}

#[test]
fn both_results_of_a_trial_that_was_issued_again_count() {
    let mut study = issued_twice();
    assert_eq!(tell(&mut study, 1.0, 3.0), Ok(Told::New));
    assert_eq!(tell(&mut study, 2.0, 5.0), Ok(Told::Further(1)));
    let account = &study.study().ledger()[0];
    assert_eq!((account.total, account.violations), (6.0, 2));
    let trials = study.study().trials();
    assert_eq!(trials[0].params, trials[1].params);
    assert_eq!(trials[1].decision.as_ref().unwrap().further_of, Some(0));
    let again = Study::replay(study.study().log().to_vec()).unwrap();
    assert_eq!(again.ledger()[0].total, 6.0);
    assert_eq!(Study::audit(study.study().log(), |_| ()), Ok(vec![]));
}

#[test]
fn a_repeated_tell_of_either_worker_is_booked_once() {
    let mut study = issued_twice();
    tell(&mut study, 1.0, 3.0).unwrap();
    tell(&mut study, 2.0, 5.0).unwrap();
    let length = study.study().log().len();
    assert_eq!(tell(&mut study, 2.0, 5.0), Ok(Told::Repeated));
    assert_eq!(tell(&mut study, 1.0, 3.0), Ok(Told::Repeated));
    // No more results than workers: this is a mistake.
    assert!(matches!(tell(&mut study, 9.0, 9.0), Err(Error::AlreadyTold { .. })));
    assert_eq!(study.study().log().len(), length);
}

#[test]
fn a_repeated_tell_after_a_correction_is_booked_once() {
    let mut study = issued_twice();
    tell(&mut study, 1.0, 3.0).unwrap();
    study.change(|s| s.correct(0, [("cost", 1.5)])).unwrap();
    assert_eq!(tell(&mut study, 1.0, 3.0), Ok(Told::Repeated));
    assert_eq!(study.study().trials().len(), 1);
}

#[test]
fn metrics_of_a_further_trial_may_arrive_one_at_a_time() {
    let mut study = issued_twice();
    tell(&mut study, 1.0, 3.0).unwrap();
    let late = |study: &mut Shared, metric: &str, value: f64| {
        study.change(|s| s.tell(0, [(metric, value)]))
    };
    assert_eq!(late(&mut study, "cost", 2.0), Ok(Told::Further(1)));
    assert_eq!(late(&mut study, "p99", 5.0), Ok(Told::Further(1)));
    assert_eq!(study.study().trials()[1].state, TrialState::Complete);
}

#[test]
fn a_trial_that_was_issued_once_is_told_once() {
    let mut study = study();
    study.issue("worker", MINUTE).unwrap();
    study.renew(0, "worker", MINUTE).unwrap();
    tell(&mut study, 1.0, 3.0).unwrap();
    assert!(matches!(tell(&mut study, 2.0, 5.0), Err(Error::AlreadyTold { .. })));
    // Who is known to have measured is believed.
    let measured = |s: &mut Study| s.tell_measured(0, [("cost", 2.0), ("p99", 5.0)]);
    assert_eq!(study.change(measured), Ok(Told::Further(1)));
    assert_eq!(study.change(measured), Ok(Told::Repeated));
}
