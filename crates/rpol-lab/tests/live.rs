//! The live course: every system is what it is said to be, and runs are judged by what is true.
#![allow(clippy::unwrap_used)]

use rpol::study::{Event, Study};
use rpol::{Params, Value};
use rpol_lab::live::{
    Chance, Outcome, Player, REPORTED_ON, Run, Score, System, TUNED_ON, Yardstick, all, names, play,
};

fn run(system: &System, player: &str, seed: u64, rounds: usize) -> Run {
    let spec = player.parse::<Player>().unwrap().spec(system, seed, rounds).unwrap();
    play(system, spec, seed, rounds, |_| true).unwrap().unwrap()
}

fn setting(values: &[(&str, Value)]) -> Params {
    values.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

#[test]
fn the_two_halves_are_all_there_is_and_share_nothing() {
    let mut halves: Vec<&str> = TUNED_ON.into_iter().chain(REPORTED_ON).collect();
    let mut every = names();
    halves.sort_unstable();
    every.sort_unstable();
    assert_eq!(halves, every);
    assert!(every.len() >= 12 && REPORTED_ON.contains(&"queue"));
}

#[test]
fn the_baseline_keeps_every_limit_in_every_phase() {
    for system in all().unwrap() {
        for phase in 0..system.phases() {
            let truth = system.truth(&system.baseline, phase);
            assert!(truth.feasible && truth.failed == 0.0, "{} {truth:?}", system.name);
            assert!(truth.over <= 0.01, "{} {truth:?}", system.name);
        }
    }
}

#[test]
fn the_best_known_is_feasible_worth_what_is_stated_and_far_from_the_baseline() {
    for system in all().unwrap() {
        let direction = system.spec.objective.direction();
        for (phase, best) in system.best.iter().enumerate() {
            let truth = system.truth(&best.params, phase);
            assert!(truth.feasible, "{} {truth:?}", system.name);
            let off = (truth.objective() / best.objective - 1.0).abs();
            assert!(off < 0.005, "{} {} {}", system.name, truth.objective(), best.objective);
            let base = system.truth(&system.baseline, phase).objective();
            let better = direction.signed(best.objective) - direction.signed(base);
            assert!(better > 0.0, "{}", system.name);
            let ratio = (base / best.objective).max(best.objective / base);
            assert!((1.2..4.6).contains(&ratio), "{} {ratio}", system.name);
        }
    }
}

#[test]
fn random_play_is_sometimes_over_and_sometimes_not() {
    for system in all().unwrap() {
        let random = Yardstick::of(&system);
        assert!((0.1..0.9).contains(&random.over), "{} {random:?}", system.name);
        assert!(random.violation.iter().all(|v| *v > 0.0), "{} {random:?}", system.name);
        let crashes = system.name == "spark";
        assert!(!crashes || (0.35..0.65).contains(&random.failed), "{} {random:?}", system.name);
    }
}

#[test]
fn a_measurement_depends_on_the_seed_and_the_trial_alone() {
    for system in all().unwrap() {
        let measured = |seed, trial| system.measure(&system.baseline, 0, seed, trial).unwrap();
        assert_eq!(measured(3, 5), measured(3, 5), "{}", system.name);
        assert_ne!(measured(3, 5), measured(3, 6), "{}", system.name);
        assert_ne!(measured(3, 5), measured(4, 5), "{}", system.name);
        let Outcome::Measured(metrics) = measured(3, 5) else { panic!("{}", system.name) };
        assert_eq!(metrics.len(), system.spec.metrics().len());
    }
}

#[test]
fn the_load_of_the_surge_doubles_half_way() {
    let surge = System::named("surge").unwrap();
    let phases: Vec<usize> = (1..=7).map(|round| surge.phase_at(round, 6)).collect();
    assert_eq!(phases, [0, 0, 0, 1, 1, 1, 1]);
    let [before, after] = [0, 1].map(|phase| surge.truth(&surge.best[0].params, phase));
    assert!(before.feasible && !after.feasible && after.means[2] > 5.0 * before.means[2]);
}

/// Whatever the other parameters, no speed between the islands can be run.
#[test]
fn between_the_islands_lies_a_valley() {
    let rotor = System::named("rotor").unwrap();
    let speed = |params: &Params| params["speed_rpm"].as_f64().unwrap();
    assert!(speed(&rotor.baseline) < 1300.0 && speed(&rotor.best[0].params) > 2000.0);
    for damping in [0.02, 0.07, 0.12] {
        for feed in [0.5, 4.0, 8.0] {
            for lining in ["steel", "rubber"] {
                let at = |speed: f64| {
                    setting(&[
                        ("speed_rpm", speed.into()),
                        ("feed_kg_s", feed.into()),
                        ("damping", damping.into()),
                        ("lining", lining.into()),
                    ])
                };
                let kept = (13..20).map(|i| rotor.truth(&at(100.0 * f64::from(i)), 0).feasible);
                assert!(kept.clone().any(|kept| !kept), "{damping} {feed} {lining}");
            }
        }
    }
}

/// Rounds in which a study takes something for a change, every metric times `factor`, up to where the system changes.
fn alarms(name: &str, rounds: usize, seed: u64, factor: fn(&mut Chance) -> f64) -> Vec<usize> {
    let system = System::named(name).unwrap();
    let spec = "rpol".parse::<Player>().unwrap().spec(&system, seed, rounds).unwrap();
    let mut study = Study::create(spec).unwrap();
    let before = (1..=rounds).take_while(|round| system.phase_at(*round, rounds) == 0);
    for round in before {
        let asked = study.ask().unwrap();
        let mut chance = Chance::new(seed ^ 0x7461_696c, round as u64);
        match system.measure(&asked.params, 0, seed, round as u64).unwrap() {
            Outcome::Measured(metrics) => {
                let metrics = metrics.into_iter().map(|value| value * factor(&mut chance));
                study.tell(asked.number, system.spec.metrics().into_iter().zip(metrics)).unwrap();
            }
            Outcome::Failed(reason) => study.fail(asked.number, &reason).unwrap(),
        }
    }
    let mut asked = 0;
    let mut alarm = |event: &Event| {
        asked += usize::from(matches!(event, Event::Asked { .. }));
        matches!(event, Event::Changed { .. }).then_some(asked)
    };
    study.log().iter().filter_map(&mut alarm).collect()
}

#[test]
fn heavy_tails_are_no_change() {
    let own = |_: &mut Chance| 1.0;
    let outliers = |chance: &mut Chance| match chance.happens(0.02) {
        true => 5.0 * 4.0_f64.powf(chance.uniform()),
        false => 1.0,
    };
    // Before its load doubles.
    for seed in 0..5 {
        assert!(alarms("surge", 60, seed, own).is_empty());
    }
    assert!(alarms("search", 120, 0, own).is_empty());
    assert!(alarms("queue", 120, 0, outliers).is_empty());
}

#[test]
fn errors_are_exactly_none_while_all_is_well() {
    let broker = System::named("broker").unwrap();
    assert_eq!(broker.truth(&broker.baseline, 0).means[1..], [0.0, 0.0]);
}

#[test]
fn a_run_is_reproducible_and_begins_with_the_baseline() {
    let system = System::named("llm").unwrap();
    let [a, b] = [1, 1].map(|seed| run(&system, "rpol", seed, 6));
    let kept = |run: &Run| -> Vec<(Params, Vec<f64>)> {
        run.rounds.iter().map(|round| (round.params.clone(), round.metrics.clone())).collect()
    };
    assert_eq!(kept(&a), kept(&b));
    assert_eq!((&a.rounds[0].params, a.rounds[0].by.as_str()), (&system.baseline, "baseline"));
}

#[test]
fn random_play_is_about_as_bad_as_random_play() {
    for name in ["spark", "reactor"] {
        let system = System::named(name).unwrap();
        let yardstick = Yardstick::of(&system);
        let scores: Vec<Score> = (0..8)
            .map(|seed| Score::of(&system, &yardstick, &run(&system, "random", seed, 60)))
            .collect();
        let mean = |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / 8.0;
        assert!((mean(|s| s.normal_violation) - 1.0).abs() < 0.3, "{name}");
        assert!((mean(|s| s.over) - yardstick.over).abs() < 0.1, "{name}");
        assert!((mean(|s| s.failures as f64) / 60.0 - yardstick.failed).abs() < 0.1, "{name}");
    }
}

#[test]
fn a_failure_counts_as_the_worst_of_random_play_and_the_baseline_gains_nothing() {
    let system = System::named("spark").unwrap();
    let yardstick = Yardstick::of(&system);
    let mut run = run(&system, "random", 0, 10);
    for round in &mut run.rounds {
        (round.metrics, round.excesses, round.failed) = (vec![], vec![], Some("crash".into()));
    }
    run.recommended = system.baseline.clone();
    let score = Score::of(&system, &yardstick, &run);
    let worst: Vec<f64> = yardstick.worst.iter().map(|worst| 10.0 * worst).collect();
    assert!(score.violation.iter().zip(worst).all(|(v, worst)| (v / worst - 1.0).abs() < 1e-9));
    assert_eq!((score.over, score.failures, score.gain, score.kept), (1.0, 10, 0.0, false));
    run.recommended = system.best[0].params.clone();
    assert!((Score::of(&system, &yardstick, &run).gain - 1.0).abs() < 0.01);
}
