//! A study that goes on from a snapshot goes the way of one that was never away.

use crate::random::Stream;
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::study::Study;
use serde_json::{Value, json};

fn begun(overrides: &Value) -> Study {
    let mut spec = json!({
        "name": "resumed", "seed": 3, "objective": "minimize cost",
        "constraints": [{"expression": "load <= 5", "budget": 90}],
        "params": {
            "x": {"type": "float", "low": 0, "high": 8},
            "mode": {"type": "categorical", "choices": ["a", "b"]},
        },
    });
    for (key, value) in overrides.as_object().unwrap() {
        spec[key] = value.clone();
    }
    Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap()
}

/// Some results are late, some trials fail, some are void or corrected, and the system changes once.
fn play(study: &mut Study, rounds: u64) {
    for _ in 0..rounds {
        let asked = study.ask().unwrap();
        let (x, number) = (asked.params["x"].as_f64().unwrap(), asked.number);
        let mut noise = Stream::new(7, number);
        let shift = if number < 430 { 0.0 } else { 1.5 };
        let cost = (x - 6.0).powi(2) + 0.1 * noise.normal();
        match number % 41 {
            5 => study.fail(number, "crashed").unwrap(),
            11 => drop(study.tell(number, [("cost", cost)]).unwrap()),
            12 => drop(study.tell(number - 1, [("load", x + shift)]).unwrap()),
            _ => {}
        }
        if !matches!(number % 41, 5 | 11) {
            let load = x + shift + 0.2 * noise.normal();
            study.tell(number, [("cost", cost), ("load", load)]).unwrap();
        }
        if number == 300 {
            study.void(7, "a wrong cable").unwrap();
            study.correct(9, [("cost", 4.0)]).unwrap();
        }
    }
}

fn moments(log: &[Event]) -> impl Iterator<Item = usize> + '_ {
    let after = |(place, event)| Study::is_summed_up_after(event).then_some(place + 1);
    log.iter().enumerate().filter_map(after)
}

fn variants() -> [Value; 4] {
    let fixed = json!({"learn": false, "noise": 0.05});
    [
        json!({}),
        json!({"baseline": {"params": {"x": 2.0, "mode": "b"}}}),
        json!({"algorithm": "rpol-ucb", "model": fixed}),
        json!({"strategy": {"type": "hallucinated"}, "policy": {"type": "primal_dual"}, "model": fixed}),
    ]
}

#[test]
fn resumed_it_goes_the_way_of_one_that_was_never_away() {
    for overrides in variants() {
        let mut live = begun(&overrides);
        play(&mut live, 700);
        let log = live.log().to_vec();
        let places: Vec<usize> = moments(&log).collect();
        assert_eq!(places.len(), 2, "after rounds 512 and 640");
        for place in places {
            let before = Study::replay(log[..place].to_vec()).unwrap();
            let snapshot = before.snapshot(|_| (None, None)).expect("the models begin anew");
            let (mut resumed, _) = Study::resume(&snapshot, place).unwrap();
            assert_eq!(resumed.snapshot(|_| (None, None)), Some(snapshot), "{overrides}");
            resumed.extend(log[place..].to_vec()).unwrap();
            assert_eq!(resumed.ledger(), live.ledger(), "{overrides}");
            assert_eq!(resumed.penalties(), live.penalties(), "{overrides}");
            let best = |study: &Study| study.best_trial().map(|trial| trial.number);
            assert_eq!(best(&resumed), best(&live), "{overrides}");
            assert_eq!(resumed.recommendation(), live.recommendation(), "{overrides}");
            let mut never_away = live.clone();
            play(&mut resumed, 30);
            play(&mut never_away, 30);
            assert_eq!(
                resumed.log_from(log.len()).unwrap(),
                never_away.log_from(log.len()).unwrap(),
                "{overrides}"
            );
        }
    }
}

#[test]
fn what_came_before_it_is_said_to_be_missing() {
    let mut study =
        begun(&json!({"algorithm": "rpol-ucb", "model": {"learn": false, "noise": 0.05}}));
    play(&mut study, 660);
    let place = moments(study.log()).last().unwrap();
    let before = Study::replay(study.log()[..place].to_vec()).unwrap();
    let (mut resumed, times) =
        Study::resume(&before.snapshot(|n| (Some(n), None)).unwrap(), place).unwrap();
    assert_eq!(times[&639], (Some(639), None));
    assert_eq!(resumed.void(3, "").unwrap_err().kind(), "Compacted");
    assert_eq!(resumed.tell(3, [("cost", 1.0)]).unwrap_err().kind(), "Compacted");
    study.void(3, "").unwrap();
    assert_eq!(resumed.extend(study.log()[place..].to_vec()).unwrap_err().kind(), "Compacted");
}

#[test]
fn there_is_none_while_models_are_needed_and_none_where_all_trials_are() {
    let mut study =
        begun(&json!({"algorithm": "rpol-ucb", "model": {"learn": false, "noise": 0.05}}));
    play(&mut study, 512);
    assert!(Study::is_summed_up_after(study.log().iter().rfind(is_asked).unwrap()));
    let snapshot = study.snapshot(|_| (None, None)).unwrap();
    play(&mut study, 1);
    assert!(study.snapshot(|_| (None, None)).is_none());
    for damaged in [&snapshot[..snapshot.len() - 1], &snapshot[1..], b""] {
        assert!(Study::resume(damaged, 5).is_err());
    }
    let strategies = [
        json!({"type": "event_triggered"}),
        json!({"type": "sliding_window", "window": 9}),
        json!({"type": "master"}),
    ];
    for strategy in strategies {
        let policy = json!({"type": "random"});
        let mut study = begun(&json!({"policy": policy, "strategy": strategy}));
        play(&mut study, 512);
        assert!(
            study.snapshot(|_| (None, None)).is_none(),
            "{strategy} looks at every trial again"
        );
    }
}

fn is_asked(event: &&Event) -> bool {
    matches!(event, Event::Asked { .. })
}
