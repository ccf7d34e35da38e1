//! Forecasts in the log, what they are worth, and the change that is told by them.
#![allow(clippy::unwrap_used)]

use rpol::random::Stream;
use rpol::study::{By, Event, Forecast, Spec, Study, Suggestion, Trial};
use serde_json::{Value, json};

fn definition(overrides: Value) -> Spec {
    let mut spec = json!({
        "name": "drift", "seed": 5, "objective": "maximize reward", "constraints": ["cost <= 0"],
        "params": {"x": {"type": "float", "low": 0, "high": 1}},
    });
    for (key, value) in overrides.as_object().unwrap() {
        spec[key] = value.clone();
    }
    Spec::from_json(&spec.to_string()).unwrap()
}

/// Reward and cost with noise of 0.1, both moved by `shift`.
fn feedback(asked: &Suggestion, shift: f64) -> [(&'static str, f64); 2] {
    let x = asked.params["x"].as_f64().unwrap();
    let mut noise = Stream::new(17, asked.number);
    let reward = (6.0 * x).sin() + 0.1 * noise.normal();
    let cost = x - 0.8 + 0.1 * noise.normal();
    [("reward", reward + shift), ("cost", cost + shift)]
}

fn play(study: &mut Study, rounds: usize, shift: f64) {
    for _ in 0..rounds {
        let asked = study.ask().unwrap();
        study.tell(asked.number, feedback(&asked, shift)).unwrap();
    }
}

fn played(overrides: Value, rounds: usize) -> Study {
    let mut study = Study::create(definition(overrides)).unwrap();
    play(&mut study, rounds, 0.0);
    study
}

fn changes(study: &Study) -> Vec<u64> {
    let since = |event: &Event| match event {
        Event::Changed { since } => Some(*since),
        _ => None,
    };
    study.log().iter().filter_map(since).collect()
}

fn forecast(trial: &Trial) -> Vec<Forecast> {
    trial.decision.as_ref().unwrap().forecast.clone()
}

#[test]
fn a_forecast_rests_on_values_and_pending_trials_do_not_narrow_it() {
    let mut study = played(json!({}), 12);
    let params = study.trials()[3].params.clone();
    let twice: Vec<Suggestion> = (0..2).map(|_| study.ask_for(params.clone()).unwrap()).collect();
    let [first, second] = [0, 1].map(|i| study.trials()[twice[i].number as usize].clone());
    for (a, b) in forecast(&first).into_iter().zip(forecast(&second)) {
        assert_eq!((a.values, a.pending, b.pending), (12, 0, 1));
        let mut a = a;
        a.pending = 1;
        assert_eq!(a, b);
        assert!(a.deviation > 0.0 && a.deviation < a.prior && a.noise > 0.0);
    }
    let upper = |trial: &Trial| trial.decision.as_ref().unwrap().upper;
    assert_ne!(upper(&first), upper(&second), "the band must have narrowed");
}

#[test]
fn a_forecast_is_what_the_models_say_in_their_own_signs() {
    let minimised = json!({"objective": "minimize reward", "constraints": ["cost >= -3"]});
    let mut study = played(minimised, 10);
    let asked = study.clone().ask().unwrap();
    let before = study.predict(&[asked.params]).unwrap().unwrap().remove(0);
    study.ask().unwrap();
    let found = forecast(&study.trials()[asked.number as usize]);
    let believed = [-before.objective.mean, before.constraints[0].mean];
    for (forecast, mean) in found.iter().zip(believed) {
        assert!((forecast.mean - mean).abs() < 1e-9, "{forecast:?} {mean}");
    }
}

#[test]
fn calibration_counts_settled_forecasts_and_stretches_where_they_fail() {
    let mut study = played(json!({"drift": "off"}), 50);
    for output in study.calibration() {
        assert_eq!(output.answered, 50 - 8, "{output:?}");
        assert!(output.within >= 32 && output.within <= 42 && output.stretch < 1.3, "{output:?}");
    }
    // A system that leaps about is worse than the model takes it for.
    for t in 0..12 {
        play(&mut study, 1, if t % 2 == 0 { 4.0 } else { -4.0 });
    }
    let after = study.calibration();
    assert!(after.iter().all(|output| output.stretch > 1.3 && output.stretch <= 3.0), "{after:?}");
    let last = forecast(study.trials().last().unwrap());
    assert!(last[0].stretch > 1.0, "what it was by then stands in the log");
    assert_eq!(serde_json::to_value(study.status()).unwrap()["calibration"][0]["answered"], 54);
}

#[test]
fn a_standard_error_counts_in_place_of_the_noise() {
    let within = |sem: f64| {
        let mut study = played(json!({"drift": "off"}), 20);
        let asked = study.ask().unwrap();
        let mean = forecast(&study.trials()[20])[0].mean;
        study.tell(asked.number, [("reward", (mean + 2.0, sem))]).unwrap();
        study.calibration()[0].within
    };
    assert_eq!(within(10.0), within(0.01) + 1);
}

#[test]
fn a_change_is_noticed_dated_and_begun_anew_after() {
    let mut study = played(json!({}), 60);
    assert!(changes(&study).is_empty());
    play(&mut study, 8, 3.0);
    let [since] = changes(&study)[..] else { panic!("{:?}", changes(&study)) };
    assert!((58..=61).contains(&since), "dated to {since}");
    // The costs since are all that is left of the penalty, and of forecasts those made since it was noticed.
    let violated: f64 = study.trials()[60..].iter().map(|t| t.costs()[0].unwrap().max(0.0)).sum();
    assert!(study.penalties()[0] <= 1.0 + violated, "{:?}", study.penalties());
    play(&mut study, 40, 3.0);
    assert_eq!(changes(&study).len(), 1, "one change is noticed once");
    assert!(study.calibration().iter().all(|output| output.answered < 48));
    let values = forecast(study.trials().last().unwrap())[0].values;
    assert_eq!(values, 108 - since, "what was asked for before it is forgotten");
}

/// Where a definition has a baseline.
fn from_baseline() -> Value {
    json!({"constraints": ["cost <= 0.5"], "baseline": {"params": {"x": 0.1}}})
}

#[test]
fn after_a_change_play_goes_back_to_the_baseline_and_on_from_there() {
    let mut study = played(from_baseline(), 50);
    assert!(changes(&study).is_empty());
    play(&mut study, 20, 1.5);
    let log = study.log();
    let noticed = log.iter().position(|e| matches!(e, Event::Changed { .. })).unwrap();
    let Event::Asked { number, params, decision, .. } = &log[noticed + 1] else {
        panic!("{:?}", log[noticed + 1])
    };
    assert_eq!((decision.by, params["x"].as_f64()), (By::Baseline, Some(0.1)));
    assert!(*number < 65, "noticed after {} trials", number - 50);
    let by = |trial: &Trial| trial.decision.as_ref().unwrap().by;
    let after = &study.trials()[*number as usize + 1..];
    assert!(after.iter().all(|trial| by(trial) != By::Baseline), "once is enough");
    // A doubt was settled by settings measured before.
    for trial in study.trials().iter().filter(|trial| by(trial) == By::Checked) {
        let earlier = &study.trials()[..trial.number as usize];
        assert!(earlier.iter().any(|old| old.params == trial.params));
    }
    assert!(study.trials()[50..].iter().any(|trial| by(trial) == By::Checked));
    // And a replay sees the same.
    let mut again = Study::replay(log.to_vec()).unwrap();
    assert_eq!(again.ask().unwrap(), study.ask().unwrap());
}

/// A load that the baseline bears as before, and settings beyond it do not.
fn loaded_feedback(asked: &Suggestion, seed: u64, load: f64) -> [(&'static str, f64); 2] {
    let x = asked.params["x"].as_f64().unwrap();
    let mut noise = Stream::new(seed, asked.number);
    let cost = 0.8 * x + load * (x - 0.25).max(0.0);
    [("reward", x + 0.02 * noise.normal()), ("cost", cost + 0.02 * noise.normal())]
}

/// The change spares the baseline: only trials elsewhere, which are charged, can tell of it.
#[test]
fn a_change_under_a_promise_is_noticed_within_its_bound() {
    for seed in 0..2 {
        let mut overrides = from_baseline();
        (overrides["seed"], overrides["risk"]) = (seed.into(), 0.1.into());
        let mut study = Study::create(definition(overrides)).unwrap();
        for t in 0..90 {
            let asked = study.ask().unwrap();
            let load = if t < 40 { 0.0 } else { 3.0 };
            study.tell(asked.number, loaded_feedback(&asked, seed, load)).unwrap();
        }
        let [since] = changes(&study)[..] else { panic!("{seed}: {:?}", changes(&study)) };
        assert!((36..=70).contains(&since), "{seed}: dated to {since}");
        let is_home = |trial: &&Trial| trial.params["x"].as_f64() == Some(0.1);
        // What the detector asks for is within the promise: 1.8 trials and the risk of every round.
        let away = study.trials().iter().filter(|trial| !is_home(trial));
        let over = away.filter(|trial| trial.is_feasible() == Some(false)).count();
        assert!(over as f64 <= 1.8 + 0.1 * 90.0, "{seed}: {over}");
    }
}

/// Both metrics times a factor whose logarithm has tails so heavy that it has no variance; the cost times `load`.
fn wild_feedback(asked: &Suggestion, seed: u64, load: f64) -> [(&'static str, f64); 2] {
    let x = asked.params["x"].as_f64().unwrap();
    let mut noise = Stream::new(seed, asked.number);
    let mut factor = || (0.1 * noise.normal() / (-noise.uniform().ln()).sqrt()).exp();
    [("reward", (1.0 + x) * factor()), ("cost", load * (0.1 + x) * factor())]
}

#[test]
fn heavy_tails_are_no_change_and_a_doubled_load_is_one() {
    let noticed = |seed: u64, rounds: u64, load: f64| {
        let mut overrides = from_baseline();
        overrides["seed"] = seed.into();
        let mut study = Study::create(definition(overrides)).unwrap();
        for t in 0..rounds {
            let asked = study.ask().unwrap();
            let load = if t < 60 { 1.0 } else { load };
            study.tell(asked.number, wild_feedback(&asked, seed, load)).unwrap();
        }
        changes(&study)
    };
    let calm = (0..6).filter(|seed| noticed(*seed, 120, 1.0).is_empty()).count();
    assert_eq!(calm, 6);
    let doubled = (0..6).filter(|seed| noticed(*seed, 75, 3.0).len() == 1).count();
    assert!(doubled >= 5, "{doubled} of 6");
}

#[test]
fn one_output_alone_may_change_and_a_single_outlier_is_none() {
    let mut study = played(json!({}), 60);
    let mut outlier = study.clone();
    for _ in 0..8 {
        let asked = study.ask().unwrap();
        let [reward, (_, cost)] = feedback(&asked, 0.0);
        study.tell(asked.number, [reward, ("cost", cost - 3.0)]).unwrap();
    }
    assert_eq!(changes(&study).len(), 1);
    assert!(
        study.penalties()[0] < 4.0,
        "the floor grows from the change on: {:?}",
        study.penalties()
    );
    play(&mut outlier, 1, 1.0);
    play(&mut outlier, 10, 0.0);
    assert!(changes(&outlier).is_empty());
}

#[test]
fn without_drift_nothing_is_forgotten_and_with_it_sooner() {
    let noticed = |drift: &str| {
        let mut study = played(json!({"drift": drift, "policy": {"type": "cautious"}}), 60);
        let mut rounds = 0;
        while changes(&study).is_empty() && rounds < 12 {
            play(&mut study, 1, 0.3);
            rounds += 1;
        }
        rounds
    };
    let (on, auto, off) = (noticed("on"), noticed("auto"), noticed("off"));
    assert!(on <= auto && auto < 12 && off == 12, "{on} {auto} {off}");
}

#[test]
fn tells_of_one_round_commute_and_late_values_are_held_against_old_forecasts() {
    let mut study = played(json!({}), 40);
    let open: Vec<Suggestion> = (0..6).map(|_| study.ask().unwrap()).collect();
    let run = |order: [usize; 6]| {
        let mut study = study.clone();
        for i in order {
            study.tell(open[i].number, feedback(&open[i], 3.0)).unwrap();
        }
        // They raise a doubt, repeats settle it.
        play(&mut study, 12, 3.0);
        (changes(&study), study.log().last().cloned(), study.calibration())
    };
    let in_order = run([0, 1, 2, 3, 4, 5]);
    assert_eq!(in_order, run([5, 3, 1, 4, 0, 2]));
    assert_eq!(in_order.0.len(), 1);
}

#[test]
fn a_log_without_forecasts_is_read_and_tells_of_no_change() {
    let study = played(json!({}), 40);
    let old = |event: &Event| {
        let mut json = serde_json::to_value(event).unwrap();
        if let Some(decision) = json.get_mut("decision") {
            decision.as_object_mut().unwrap().remove("forecast").unwrap();
        }
        serde_json::from_value(json).unwrap()
    };
    let mut again = Study::replay(study.log().iter().map(old).collect()).unwrap();
    assert_eq!(again.penalties(), study.penalties());
    assert_eq!(again.calibration()[0].answered, 0);
    play(&mut again, 3, 5.0);
    assert_eq!(again.calibration()[0].answered, 3);
}

#[test]
fn drift_is_for_those_who_choose_no_strategy() {
    let refused = |overrides: Value, drift: &str| {
        let mut spec = serde_json::to_value(definition(overrides)).unwrap();
        spec["drift"] = drift.into();
        Spec::from_json(&spec.to_string()).unwrap_err().to_string()
    };
    for (overrides, what) in [
        (json!({"strategy": {"type": "ucb"}}), "the strategy decides already"),
        (json!({"algorithm": "rpol-ucb"}), "the algorithm decides already"),
        (json!({"preset": "printed"}), "the printed preset decides already"),
    ] {
        let error = refused(overrides, "auto");
        assert!(error.starts_with("drift:") || error.contains("`drift`"), "{error}");
        assert!(error.contains(what), "{error}");
    }
    assert!(refused(json!({}), "sometimes").contains("drift"));
    for (field, value) in [("threshold", json!(0.0)), ("after", json!(0))] {
        let strategy = json!({"type": "watchful", field: value});
        let mut spec = serde_json::to_value(definition(json!({}))).unwrap();
        spec["strategy"] = strategy;
        let error = Spec::from_json(&spec.to_string()).unwrap_err().to_string();
        assert!(error.contains(&format!("strategy.{field}")), "{error}");
    }
}

#[test]
fn a_change_that_has_not_come_yet_is_no_log() {
    let mut log = played(json!({}), 3).log().to_vec();
    log.push(Event::Changed { since: 9 });
    let error = Study::replay(log).unwrap_err();
    assert!(error.to_string().contains("a change of round 9"), "{error}");
}
