//! Laws of the study: which algorithms coincide, what a replay owes, what commutes.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rpol::random::Stream;
use rpol::study::{ALGORITHMS, Event, Spec, Study, Suggestion};
use serde_json::{Value, json};

/// The paper's first problem on [0, 6]^2, with noise of variance 0.05.
fn feedback(suggestion: &Suggestion) -> (f64, f64) {
    let x = |name: &str| suggestion.params[name].to_string().parse::<f64>().unwrap();
    let (x1, x2) = (x("x1"), x("x2"));
    let mut noise = Stream::new(99, suggestion.number);
    let mut noise = || 0.05f64.sqrt() * noise.normal();
    (-x1.sin() - x2 + noise(), x1.sin() * x2.sin() + 0.95 + noise())
}

fn definition(overrides: Value) -> Spec {
    let mut spec = json!({
        "name": "law", "seed": 3, "objective": "maximize reward", "constraints": ["cost <= 0"],
        "params": {"x1": {"type": "float", "low": 0, "high": 6}, "x2": {"type": "float", "low": 0, "high": 6}},
        "horizon": 40, "preset": "printed",
        "model": {"noise": 0.05}, "confidence": {"width": {"type": "constant", "beta": 2}},
    });
    for (key, value) in overrides.as_object().unwrap() {
        spec[key] = value.clone();
    }
    Spec::from_json(&spec.to_string()).unwrap()
}

fn lattice() -> Value {
    json!({"x1": {"type": "int", "low": 0, "high": 6}, "x2": {"type": "int", "low": 0, "high": 6}})
}

/// Plays rounds with immediate feedback and returns the log.
fn play(spec: Spec, rounds: u64) -> Study {
    let mut study = Study::create(spec).unwrap();
    for _ in 0..rounds {
        let suggestion = study.ask().unwrap();
        let (reward, cost) = feedback(&suggestion);
        study.tell(suggestion.number, [("reward", reward), ("cost", cost)]).unwrap();
    }
    study
}

fn settings(study: &Study) -> Vec<String> {
    study.trials().iter().map(|t| serde_json::to_string(&t.params).unwrap()).collect()
}

#[test]
fn strategies_that_forget_nothing_equal_ucb_decision_for_decision() {
    let ucb = settings(&play(definition(json!({})), 30));
    for strategy in [
        json!({"type": "sliding_window", "window": 30}),
        json!({"type": "restart", "period": 1000}),
        json!({"type": "discounted", "factor": 1.0}),
        json!({"type": "censored", "within": 5, "slack": "none"}),
        json!({"type": "censored", "within": 5, "slack": "pending"}),
        json!({"type": "hallucinated"}),
        json!({"type": "event_triggered", "beta": 1e9}),
        json!({"type": "watchful", "threshold": 1e9}),
    ] {
        let other = play(definition(json!({"strategy": strategy})), 30);
        assert_eq!(settings(&other), ucb, "{strategy}");
    }
    let forgetful =
        play(definition(json!({"strategy": {"type": "sliding_window", "window": 3}})), 30);
    assert_ne!(settings(&forgetful), ucb);
}

/// The same log under another policy: what would it have decided next?
fn next_under(log: &[Event], overrides: Value) -> String {
    let mut log = log.to_vec();
    log[0] = Event::Created { spec: Box::new(definition(overrides)), engine: None };
    let mut study = Study::replay(log).unwrap();
    serde_json::to_string(&study.ask().unwrap().params).unwrap()
}

#[test]
fn epbo_is_rpol_with_the_penalty_held_and_config_is_rpol_with_an_endless_one() {
    let study = play(definition(json!({"params": lattice()})), 25);
    let asked: Vec<usize> =
        (0..study.log().len()).filter(|i| matches!(study.log()[*i], Event::Asked { .. })).collect();
    let mut differs = false;
    for &position in &asked[2..] {
        let log = &study.log()[..position];
        let rpol = next_under(log, json!({"params": lattice()}));
        let q = Study::replay(log.to_vec()).unwrap().penalties()[0];
        let fixed = |penalty: f64| json!({"params": lattice(), "policy": {"type": "fixed_penalty", "penalty": penalty}});
        assert_eq!(next_under(log, fixed(q)), rpol);
        let config =
            next_under(log, json!({"params": lattice(), "policy": {"type": "constrained"}}));
        assert_eq!(next_under(log, fixed(1e9)), config);
        differs |= next_under(log, fixed(1e-9)) != config;
    }
    assert!(differs, "the penalty must matter somewhere, or this shows nothing");
}

#[test]
fn the_penalty_never_falls_and_keeps_its_floor() {
    let mut study = Study::create(definition(json!({}))).unwrap();
    let mut before = 1.0;
    for t in 1..=25u64 {
        let q = study.penalties()[0];
        assert!(q >= before && q >= ((t - 1) as f64).sqrt(), "Q_{t} = {q}");
        before = q;
        let suggestion = study.ask().unwrap();
        let (reward, cost) = feedback(&suggestion);
        study.tell(suggestion.number, [("reward", reward), ("cost", cost)]).unwrap();
    }
}

#[test]
fn every_algorithm_runs_under_both_presets_and_replays() {
    for algorithm in ALGORITHMS {
        for preset in ["printed", "practical"] {
            let spec = json!({
                "name": algorithm, "objective": "maximize reward", "constraints": ["cost <= 0"], "algorithm": algorithm,
                "params": {"x1": {"type": "float", "low": 0, "high": 6}, "x2": {"type": "float", "low": 0, "high": 6}},
                "preset": preset, "baseline": {"params": {"x1": 4.7, "x2": 1.57}},
            });
            let study = play(Spec::from_json(&spec.to_string()).unwrap(), 12);
            let mut again = Study::replay(study.log().to_vec()).unwrap();
            let mut live = study.clone();
            assert_eq!(again.ask().unwrap(), live.ask().unwrap(), "{algorithm} {preset}");
            assert_eq!(again.penalties(), live.penalties());
        }
    }
}

/// A process that comes late to a log must decide like one that was there from the beginning, whatever fits lie between.
#[test]
fn from_any_moment_of_a_log_the_next_decision_is_the_one_that_was_made() {
    for overrides in [
        json!({"preset": "practical"}),
        json!({"preset": "practical", "strategy": {"type": "event_triggered"}}),
        json!({"preset": "practical", "strategy": {"type": "watchful", "threshold": 1, "after": 3}}),
        json!({"preset": "practical", "algorithm": "random"}),
        // Scales are fitted and kernels are not.
        json!({"preset": "practical", "model": {"learn": false, "noise": 0.05}}),
    ] {
        let watchful = overrides["strategy"]["type"] == "watchful";
        let mut study = play(definition(overrides), 25);
        for _ in 0..15 {
            let asked = study.ask().unwrap();
            let (reward, cost) = feedback(&asked);
            // Another system from here on.
            study.tell(asked.number, [("reward", reward - 5.0), ("cost", cost)]).unwrap();
        }
        let log = study.log().to_vec();
        let changed = log.iter().any(|e| matches!(e, Event::Changed { .. }));
        assert!(changed || !watchful, "a change on the way, or this shows less");
        let fits = log.iter().filter(|e| matches!(e, Event::Fitted { .. })).count();
        let asks = (1..log.len()).filter(|i| matches!(log[*i], Event::Asked { .. }));
        let mut follower = Study::replay(log[..1].to_vec()).unwrap();
        for i in asks.clone() {
            // What the ask itself found out stands before it.
            let start = (1..i).rev().take_while(|j| is_of_the_ask(&log[*j])).last().unwrap_or(i);
            let mut late = Study::replay(log[..start].to_vec()).unwrap();
            late.ask().unwrap();
            assert_eq!(late.log()[start..], log[start..=i], "from entry {start}, {fits} fits");
            follower.extend(log[follower.log().len()..start].to_vec()).unwrap();
            if i % 3 == 0 {
                follower.clone().ask().unwrap();
                drop(follower.status());
            }
        }
        follower.ask().unwrap();
        let last = asks.clone().next_back().unwrap();
        assert_eq!(follower.log()[..=last], log[..=last], "a follower that looked on the way");
    }
}

fn is_of_the_ask(event: &Event) -> bool {
    matches!(event, Event::Fitted { .. } | Event::Changed { .. })
}

#[test]
fn every_width_works_without_a_horizon() {
    let constants = json!({"bound": {"reward": 2.0, "cost": 1.0}, "noise": 0.2});
    let with = |kind: &str, field: &str| {
        let mut width = constants.clone();
        width["type"] = kind.into();
        width[field] = 0.1.into();
        width
    };
    let widths = [
        with("igp", "p"),
        with("window", "p"),
        with("censored", "p"),
        with("anytime", "delta"),
        with("mixture", "delta"),
        json!({"type": "gp_ucb", "delta": 0.1}),
        json!({"type": "gp_ucb", "delta": 0.1, "points": 4096}),
        json!({"type": "tapered", "beta": 3, "tau": 0.3}),
    ];
    for width in widths {
        for gain in [json!("realised"), json!("greedy"), json!({"given": 3.0})] {
            let overrides = json!({"horizon": null, "confidence": {"width": width, "gain": gain}});
            let study = play(definition(overrides), 4);
            let decision = study.trials()[3].decision.clone().unwrap();
            assert!(decision.upper.unwrap().is_finite(), "{width} {gain}");
        }
    }
}

#[test]
fn master_runs_and_event_triggering_fires_on_a_jump() {
    let master = json!({"strategy": {"type": "master", "log": 0.05}});
    let study = play(definition(master), 20);
    assert_eq!(study.trials().len(), 20);
    let overrides = json!({"params": lattice(), "preset": "practical", "model": {},
        "strategy": {"type": "event_triggered", "beta": 4}});
    let mut study = Study::create(definition(overrides)).unwrap();
    for t in 0..30 {
        let suggestion = study.ask().unwrap();
        let (reward, cost) = feedback(&suggestion);
        let jump = if t >= 20 { 40.0 } else { 0.0 };
        study.tell(suggestion.number, [("reward", reward + jump), ("cost", cost)]).unwrap();
    }
    let changes: Vec<&Event> =
        study.log().iter().filter(|e| matches!(e, Event::Changed { .. })).collect();
    // Seen in the very round it came, and only once; one early alarm may come while the model settles.
    assert_eq!(changes.last(), Some(&&Event::Changed { since: 21 }));
    assert!(changes.len() <= 2, "{changes:?}");
    let mut again = Study::replay(study.log().to_vec()).unwrap();
    assert_eq!(again.ask().unwrap(), study.ask().unwrap());
}

#[test]
fn a_safe_policy_needs_a_safe_start_and_then_stays_safe() {
    let spec = |baseline: Value| json!({"policy": {"type": "safe"}, "baseline": baseline, "model": {"noise": 0.01}});
    let mut study = Study::create(definition(spec(Value::Null))).unwrap();
    assert_eq!(study.ask().unwrap_err().kind(), "NoSafeStart");
    let safe = json!({"params": {"x1": 1.0, "x2": 1.0}});
    let mut study = Study::create(definition(spec(safe))).unwrap();
    for _ in 0..25 {
        let s = study.ask().unwrap();
        let x = |name: &str| s.params[name].to_string().parse::<f64>().unwrap();
        // A smooth limit that is far away at the start: x1 + x2 <= 8, noiseless.
        let cost = (x("x1") + x("x2") - 8.0) / 8.0;
        assert!(cost <= 0.0, "{:?} is unsafe", s.params);
        study.tell(s.number, [("reward", x("x1")), ("cost", cost)]).unwrap();
    }
    let reach =
        study.trials().iter().filter_map(|t| t.params["x1"].to_string().parse::<f64>().ok());
    assert!(reach.fold(0.0, f64::max) > 2.0, "the safe set must have grown");
}

#[test]
fn an_infeasible_problem_is_declared() {
    let spec = |when: &str| {
        definition(
            json!({"params": lattice(), "policy": {"type": "constrained", "when_infeasible": when},
            "confidence": {"width": {"type": "constant", "beta": 0.1}}}),
        )
    };
    let flood = |study: &mut Study| {
        for x1 in 0..7i64 {
            for x2 in 0..7i64 {
                let params = [("x1".to_string(), x1.into()), ("x2".to_string(), x2.into())];
                study.add(params.into_iter().collect(), [("reward", 0.0), ("cost", 5.0)]).unwrap();
            }
        }
    };
    let mut study = Study::create(spec("play_least")).unwrap();
    flood(&mut study);
    assert!(study.ask().unwrap().infeasible);
    let mut study = Study::create(spec("stop")).unwrap();
    flood(&mut study);
    let before = study.log().len();
    assert_eq!(study.ask().unwrap_err().kind(), "Infeasible");
    assert_eq!(study.log().len(), before);
}

/// What an ask fits before it fails is not in the log, so it must not be in the study either.
#[test]
fn an_ask_that_fails_leaves_no_fit_behind() {
    let policy = json!({"type": "constrained", "when_infeasible": "stop"});
    let overrides = json!({"params": lattice(), "policy": policy, "preset": "practical", "initial": 0,
        "confidence": {"width": {"type": "constant", "beta": 0.1}}});
    let mut study = Study::create(definition(overrides)).unwrap();
    let at = |i: i64| {
        let params = [("x1".to_string(), (i % 7).into()), ("x2".to_string(), (i / 7).into())];
        params.into_iter().collect()
    };
    for i in 0..49 {
        study.add(at(i), [("reward", i as f64), ("cost", 5.0 + i as f64)]).unwrap();
    }
    let mut untried = study.clone();
    assert_eq!(study.ask().unwrap_err().kind(), "Infeasible");
    study.ask_for(at(3)).unwrap();
    untried.ask_for(at(3)).unwrap();
    assert!(matches!(untried.log()[50], Event::Fitted { .. }));
    assert_eq!(study.log(), untried.log());
}

#[test]
fn limits_relative_to_the_baseline_are_unknown_until_it_is_measured() {
    let spec = json!({
        "name": "relative", "objective": "minimize cost", "constraints": ["qps >= 0.95 * baseline"],
        "params": {"x": {"type": "float", "low": 0, "high": 1}}, "baseline": {"params": {"x": 0.5}},
    });
    let mut study = Study::create(Spec::from_json(&spec.to_string()).unwrap()).unwrap();
    let first = study.ask().unwrap();
    let other = [("x".to_string(), 0.8.into())].into_iter().collect();
    let second = study.ask_for(other).unwrap();
    assert_eq!(first.params["x"].to_string(), "0.5");
    study.tell(second.number, [("cost", 1.0), ("qps", 90.0)]).unwrap();
    assert_eq!(study.trials()[1].is_feasible(), None);
    assert_eq!(study.ledger()[0].observed, 0);
    study.tell(first.number, [("cost", 2.0), ("qps", 100.0)]).unwrap();
    assert_eq!(study.trials()[0].is_feasible(), Some(true));
    assert_eq!(study.trials()[1].is_feasible(), Some(false));
    assert_eq!((study.ledger()[0].observed, study.ledger()[0].total), (2, 5.0));
    assert_eq!(study.best_trial().unwrap().number, 0);
}

/// Random but legal use: asks, tells early, late, in parts, failures, voids, corrections, history.
fn random_use(spec: Spec, choices: &[(u8, u16, bool)]) -> Study {
    let mut study = Study::create(spec).unwrap();
    for (step, (kind, which, part)) in choices.iter().enumerate() {
        let count = study.trials().len() as u64;
        let number = u64::from(*which) % count.max(1);
        match kind % 16 {
            0..=4 => drop(study.ask().unwrap()),
            _ if count == 0 => {}
            5..=11 => {
                let trial = &study.trials()[number as usize];
                let s = Suggestion { number, params: trial.params.clone(), infeasible: false };
                let (reward, cost) = feedback(&s);
                let metrics = if *part {
                    vec![("cost", cost)]
                } else {
                    vec![("reward", reward), ("cost", cost)]
                };
                let _ = study.tell(number, metrics);
            }
            12 => study.fail(number, "crashed").unwrap(),
            13 if step % 4 == 0 => study.void(number, "wrong machine").unwrap(),
            14 if step % 4 == 0 => {
                let _ = study.correct(number, [("cost", 0.25)]);
            }
            _ => {
                let params = study.trials()[number as usize].params.clone();
                study.add(params, [("reward", -1.0), ("cost", 0.1)]).unwrap();
            }
        }
    }
    study
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 6, ..Default::default() })]

    #[test]
    fn replay_equals_live_for_random_logs(
        choices in prop::collection::vec((any::<u8>(), any::<u16>(), any::<bool>()), 500)
    ) {
        for overrides in [
            json!({"params": lattice()}),
            json!({"params": lattice(), "strategy": {"type": "censored", "within": 6}}),
            json!({"params": lattice(), "strategy": {"type": "sliding_window", "window": 12}}),
            json!({"params": lattice(), "strategy": {"type": "hallucinated"}, "preset": "practical",
                "model": {"learn": false, "noise": 0.05}}),
            json!({"params": lattice(), "strategy": {"type": "watchful", "threshold": 0.05, "after": 2},
                "preset": "practical", "model": {"learn": false, "noise": 0.05}}),
        ] {
            let mut live = random_use(definition(overrides), &choices);
            let text: Vec<String> =
                live.log().iter().map(|e| serde_json::to_string(e).unwrap()).collect();
            let log = text.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            let mut again = Study::replay(log).unwrap();
            prop_assert_eq!(again.penalties(), live.penalties());
            prop_assert_eq!(
                serde_json::to_string(&again.status()).unwrap(),
                serde_json::to_string(&live.status()).unwrap()
            );
            prop_assert_eq!(again.ask().unwrap(), live.ask().unwrap());
            prop_assert_eq!(again.log().last(), live.log().last());
        }
    }

    #[test]
    fn tells_of_one_round_commute(order in Just((0..12u64).collect::<Vec<_>>()).prop_shuffle()) {
        let run = |order: &[u64]| {
            let mut study = Study::create(definition(json!({}))).unwrap();
            let open: Vec<Suggestion> = (0..12).map(|_| study.ask().unwrap()).collect();
            for number in order {
                let (reward, cost) = feedback(&open[*number as usize]);
                study.tell(*number, [("cost", cost)]).unwrap();
                study.tell(*number, [("reward", reward)]).unwrap();
            }
            (study.penalties(), study.ask().unwrap(), serde_json::to_string(&study.status()).unwrap())
        };
        prop_assert_eq!(run(&order), run(&(0..12).collect::<Vec<_>>()));
    }
}
