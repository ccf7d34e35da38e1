//! The arena from inside: who plays, what is counted, and by which measure.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rpol_lab::arena::{
    Conditions, Contestant, Course, Score, Standing, Tournament, contestant_names, contestants,
    course_names, courses, frontier, overall, safe_start,
};
use rpol_lab::experiment::{Round, World};
use rpol_lab::pool::Ending;
use rpol_lab::problem::{Delay, Environment, all};
use std::sync::atomic::AtomicBool;

const SHORT: Conditions = Conditions { rounds: 12, noise: 0.1, delay: None };

fn tournament(who: &str, on: &str, conditions: &Conditions, seeds: u64) -> Tournament {
    let (contestants, courses) = (contestants(who).unwrap(), courses(on, conditions).unwrap());
    Tournament { contestants, courses, seeds }
}

fn played(tournament: &Tournament, threads: usize) -> Vec<Vec<Standing>> {
    let bouts = tournament.bouts().unwrap();
    match tournament.play(&bouts, threads, &AtomicBool::new(false), &|_| ()).unwrap() {
        Ending::Played(standings) => standings,
        Ending::Stopped(played) => panic!("stopped after {played}"),
    }
}

/// The scores without the times, which no seed decides.
fn scores(standings: &[Vec<Standing>]) -> Vec<Score> {
    let all = standings.iter().flatten().flat_map(|standing| standing.scores.clone());
    all.map(|score| Score { ask_ms: 0.0, ask_ms_max: 0.0, ..score }).collect()
}

#[test]
fn a_tiny_arena_counts_soundly_and_the_same_on_any_number_of_threads() {
    let tournament = tournament("rpol,random", "classical,gramacy", &SHORT, 3);
    let standings = played(&tournament, 1);
    assert_eq!(scores(&standings), scores(&played(&tournament, 3)));
    assert_eq!((standings.len(), standings[0].len()), (2, 2));
    for score in scores(&standings) {
        assert!(score.regret_plus > 0.0 && score.violation > 0.0, "{score:?}");
        assert!((0.0..=1.0).contains(&score.violating) && score.violating_late.is_none());
    }
    for (course, standings) in tournament.courses.iter().zip(&standings) {
        for score in standings.iter().flat_map(|standing| &standing.scores) {
            let unit = course.yardsticks[0].random_regret;
            assert!((score.normal_regret * unit / score.regret_plus - 1.0).abs() < 1e-12);
        }
    }
    let [first, second] = [0, 1].map(|seed| standings[0][0].scores[seed].regret_plus);
    assert!(first != second, "a seed decides something");
    let mean = standings[0][0].scores.iter().map(|s| s.violation).sum::<f64>() / 3.0;
    assert!((standings[0][0].violation.mean - mean).abs() < 1e-12);
    let overall = overall(&tournament.contestants, &standings);
    assert_eq!(overall[0].name, "rpol");
    let frontiers = standings.iter().filter(|course| course[1].frontier).count();
    assert_eq!(overall[1].frontier, frontiers);
}

#[test]
fn random_play_is_the_unit_of_losses() {
    let conditions = Conditions { rounds: 400, ..SHORT };
    let on = "classical,drifting,gardner1,gramacy,hartmann6_ball,classical-rescaled";
    for standing in played(&tournament("random", on, &conditions, 2), 2).concat() {
        for loss in [standing.normal_regret.mean, standing.normal_violation.mean] {
            assert!((loss - 1.0).abs() < 0.05, "{loss}");
        }
        assert_eq!(standing.locked, 1.0);
    }
}

#[test]
fn other_units_change_nothing_that_is_counted_in_units_of_random_play() {
    let standings = played(&tournament("random", "classical,classical-rescaled", &SHORT, 2), 2);
    let [plain, rescaled] = [0, 1].map(|course| &standings[course][0].scores[1]);
    let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{a} {b}");
    same(plain.normal_regret, rescaled.normal_regret);
    same(plain.normal_violation, rescaled.normal_violation);
    same(1e4 * plain.regret_plus, rescaled.regret_plus);
    same(1e-3 * plain.violation, rescaled.violation);
}

/// Nothing may depend on units: domain, objective and limit are rescaled, by factors that are no powers of two.
#[test]
fn the_practical_preset_plays_the_same_in_other_units() {
    let conditions = Conditions { rounds: 30, ..SHORT };
    let on = "classical,classical-rescaled";
    let [plain, rescaled] = &played(&tournament("rpol", on, &conditions, 2), 2)[..] else {
        panic!("two courses")
    };
    for (a, b) in plain[0].scores.iter().zip(&rescaled[0].scores) {
        assert!((a.normal_regret / b.normal_regret - 1.0).abs() < 1e-6, "{a:?} {b:?}");
        assert!((a.normal_violation / b.normal_violation - 1.0).abs() < 1e-6, "{a:?} {b:?}");
    }
}

#[test]
fn everybody_can_play() {
    let conditions = Conditions { rounds: 7, delay: Some(1.0), ..SHORT };
    let everybody = tournament("all", "gardner1", &conditions, 1);
    assert_eq!(everybody.contestants.len(), contestant_names().len());
    assert_eq!(everybody.contestants.len(), 1 + 19 + 11 * 9);
    for standing in played(&everybody, 2).concat() {
        assert!(standing.regret_plus.mean.is_finite() && standing.violation.mean.is_finite());
    }
}

#[test]
fn every_course_can_be_measured_and_entered_safely() {
    let safe: Contestant = "safeopt".parse().unwrap();
    for name in course_names() {
        let course = Course::named(&name, &SHORT).unwrap();
        let spec = safe.spec(&course, 0).unwrap();
        assert!(spec.baseline.is_some(), "{name}");
        let problem = course.problem();
        let start = safe_start(problem).unwrap();
        assert!(problem.is_feasible(&start) && problem.regret(&start) > 0.0, "{name}");
        for yardstick in &course.yardsticks {
            assert!(yardstick.random_regret > 0.0 && yardstick.random_violation > 0.0, "{name}");
            assert!(yardstick.deviations.iter().all(|d| *d > 0.0 && d.is_finite()), "{name}");
        }
    }
}

#[test]
fn only_those_who_need_it_get_a_start() {
    let course = Course::named("classical-rescaled", &SHORT).unwrap();
    let spec = |name: &str| name.parse::<Contestant>().unwrap().spec(&course, 0).unwrap();
    assert!(spec("rpol").baseline.is_none() && spec("rpol").initial.is_none());
    assert!(spec("rpol@start=safe").baseline.is_some());
    let baseline = spec("safe/ucb").baseline.unwrap();
    let island = [1500.0 * std::f64::consts::PI, 500.0 * std::f64::consts::PI];
    for (parameter, wanted) in ["x1", "x2"].iter().zip(island) {
        assert!((baseline.params[*parameter].as_f64().unwrap() - wanted).abs() < 1e-9);
    }
}

#[test]
fn a_change_of_a_field_keeps_the_order_of_the_parameters() {
    let course = Course::named("ackley10", &SHORT).unwrap();
    let spec = |name: &str| name.parse::<Contestant>().unwrap().spec(&course, 3).unwrap();
    let names = |name: &str| serde_json::to_string(&spec(name).params).unwrap();
    assert_eq!(names("rpol@initial=12"), names("rpol"));
    assert!(names("rpol").find("x10") > names("rpol").find("x9"), "as the problem has them");
    assert_eq!((spec("rpol").seed, spec("rpol@initial=12").seed), (3, 3));
    let width = serde_json::to_value(spec("rpol@confidence.width.rate=2").confidence).unwrap();
    assert_eq!(
        (&width["width"]["rate"], &width["width"]["constraint"]),
        (&serde_json::json!(2.0), &serde_json::json!(2.5))
    );
    let printed = spec("config@printed");
    assert_eq!(printed.preset, rpol::study::Preset::Printed);
}

#[test]
fn a_part_of_the_default_width_set_to_its_default_changes_nothing() {
    let both = "rpol,rpol@confidence.width.constraint=2.5";
    let standings = played(&tournament(both, "gardner1", &SHORT, 1), 2);
    let scores = scores(&standings);
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn delays_are_added_where_there_are_none() {
    let conditions = Conditions { delay: Some(4.0), ..SHORT };
    let delay = |name: &str| Course::named(name, &conditions).unwrap().environment.delay;
    assert_eq!(delay("gardner1"), Some(Delay::Poisson { mean: 4.0 }));
    assert_eq!(delay("delayed"), Some(Delay::Poisson { mean: 15.0 }));
    assert_eq!(Course::named("gardner1", &SHORT).unwrap().environment.delay, None);
}

#[test]
fn noise_is_a_share_of_each_outputs_size_and_drawn_so() {
    let course = Course::named("gramacy", &Conditions { noise: 0.5, ..SHORT }).unwrap();
    let sizes: Vec<f64> = course.yardsticks[0].deviations.iter().map(|d| 0.5 * d).collect();
    assert_eq!(course.environment.noise, sizes);
    let plain = Environment { noise: vec![1.0; 3], ..course.environment.clone() };
    let mut worlds = [World::new(&course.environment, 5), World::new(&plain, 5)];
    let [scaled, plain] = worlds.each_mut().map(World::next_round);
    for ((scaled, plain), size) in scaled.iter().zip(&plain).zip(sizes) {
        assert_eq!(scaled.noise, size * plain.noise);
    }
}

/// Rounds of the classical course: `[regret, g]` each.
fn rounds(of: &[[f64; 2]]) -> Vec<Round> {
    let round = |(i, [regret, g]): (usize, &[f64; 2])| Round {
        round: i + 1,
        x: vec![0.0, 0.0],
        f: 0.0,
        g: vec![*g],
        regret: *regret,
        penalties: vec![],
    };
    of.iter().enumerate().map(round).collect()
}

#[test]
fn a_score_counts_what_it_says() {
    let course = Course::named("classical", &Conditions { rounds: 150, ..SHORT }).unwrap();
    let mut of = [[2.0, 0.5]; 50].to_vec();
    // As good as the optimum, and no solution: it breaks the limit.
    of.extend([[0.5, 0.25]; 48]);
    of.extend([[0.0, 0.25]; 2]);
    of.extend([[0.1, -0.1]; 40]);
    of.extend([[-1.0, 0.0], [0.05, 1e-9]].iter().cycle().take(10));
    let score = Score::of(&course, &rounds(&of), &[1.0, 3.0]);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{a} {b}");
    near(score.regret_plus, (100.0 + 24.0 + 4.0 + 0.25) / 150.0);
    near(score.violation, (25.0 + 12.5) / 150.0);
    near(score.violation_middle.unwrap(), 0.25);
    near(score.violating, 105.0 / 150.0);
    near(score.violating_late.unwrap(), 5.0 / 50.0);
    near(score.simple_regret.unwrap(), -1.0);
    assert_eq!(score.solved, Some(101), "0.1 is within 5 % of 2.75");
    assert!(!score.locked, "the last third is good");
    assert_eq!((score.ask_ms, score.ask_ms_max), (2.0, 3.0));
    let lost = Score::of(&course, &rounds(&[[2.0, 0.5]; 150]), &[1.0]);
    assert!(lost.locked && lost.solved.is_none() && lost.simple_regret.is_none());
}

#[test]
fn where_the_system_changes_only_its_last_phase_is_solved() {
    let course = Course::named("drifting", &Conditions { rounds: 50, ..SHORT }).unwrap();
    let mut of = [[0.0, -0.1]; 30].to_vec();
    of.extend([[3.0, -0.1]; 13]);
    of.extend([[0.01, -0.1]; 7]);
    let score = Score::of(&course, &rounds(&of), &[1.0]);
    assert_eq!((score.solved, score.simple_regret), (Some(14), Some(0.01)));
}

#[test]
fn a_stop_is_told_with_what_was_played() {
    let tournament = tournament("random", "gardner1", &SHORT, 3);
    let bouts = tournament.bouts().unwrap();
    let stopped = tournament.play(&bouts, 1, &AtomicBool::new(true), &|_| ()).unwrap();
    assert_eq!(stopped, Ending::Stopped(0));
}

proptest! {
    #[test]
    fn the_frontier_is_what_nobody_betters(
        losses in prop::collection::vec([0_u8..6, 0_u8..6].prop_map(|l| l.map(f64::from)), 1..12),
    ) {
        let on_it = frontier(&losses);
        let betters = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
        for (own, on_it) in losses.iter().zip(&on_it) {
            let better = losses.iter().zip(frontier(&losses)).filter(|(l, _)| betters(l, own));
            let better: Vec<_> = better.collect();
            prop_assert_eq!(*on_it, better.is_empty());
            prop_assert!(*on_it || better.iter().any(|(_, on_it)| *on_it), "one of the frontier betters it");
        }
        prop_assert!(on_it.contains(&true));
    }

    #[test]
    fn a_rescaled_problem_is_the_same_in_other_units(
        which in 0_usize..22, unit in prop::collection::vec(0.0..1.0, 10), powers in [-3_i32..4, -3..4, -3..4],
    ) {
        let problem = &all()[which];
        let [domain, f, g] = powers.map(|power| 2_f64.powi(power));
        let scaled = problem.rescaled(domain, f, g);
        let x = problem.from_unit(&unit[..problem.dims()]);
        // Powers of two, so that nothing is rounded.
        let y: Vec<f64> = x.iter().map(|x| domain * x).collect();
        prop_assert_eq!(scaled.f(&y), f * problem.f(&x));
        let costs: Vec<f64> = problem.g(&x).iter().map(|value| g * value).collect();
        prop_assert_eq!(scaled.g(&y), costs);
        prop_assert_eq!(scaled.regret(&y), f * problem.regret(&x));
        let best = &scaled.optimum;
        prop_assert_eq!(scaled.f(&best.x), f * problem.f(&problem.optimum.x));
        prop_assert!(scaled.domain.iter().zip(&best.x).all(|(p, x)| p.low <= *x && *x <= p.high));
        let environment = Environment::stationary(problem.clone(), 9, 0.5).rescaled(domain, f, g);
        prop_assert_eq!((environment.noise[0], environment.noise[1]), (0.5 * f, 0.5 * g));
    }
}
