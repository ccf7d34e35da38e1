//! A simulated run: its sums, its seed, its delays.
#![allow(clippy::unwrap_used)]

use rpol::Points;
use rpol::study::{Event, Preset, Spec};
use rpol_lab::experiment::{Simulation, spec};
use rpol_lab::problem::{Environment, NoiseReading};

const T: usize = 40;

fn played(environment: Environment, seed: u64) -> Simulation {
    let base = spec(environment.problem_at(1), T, seed).unwrap();
    let mut spec = Spec { preset: Preset::Printed, ..base };
    spec.model.lengthscale = Some(0.25);
    let mut simulation = Simulation::new(environment.stretched(T), spec, seed).unwrap();
    simulation.run().unwrap();
    simulation
}

#[test]
fn the_sums_are_those_of_the_true_functions_at_the_settings_played() {
    let environment = Environment::drifting(NoiseReading::Variance).stretched(T);
    let simulation = played(environment.clone(), 3);
    let (totals, rounds) = (simulation.totals(), simulation.rounds());
    let (mut regret, mut positive, mut violation, mut net, mut violating) = (0.0, 0.0, 0.0, 0.0, 0);
    for (i, round) in rounds.iter().enumerate() {
        let problem = environment.problem_at(i + 1);
        let (short, g) = (problem.optimum.value - problem.f(&round.x), problem.g(&round.x)[0]);
        assert_eq!((round.round, round.regret, round.g[0]), (i + 1, short, g));
        regret += short;
        positive += short.max(0.0);
        violation += g.max(0.0);
        net += g;
        violating += usize::from(g > 0.0);
    }
    assert_eq!((totals.rounds, totals.violating), (T, violating));
    assert_eq!((totals.regret, totals.positive_regret), (regret, positive));
    assert_eq!((totals.violation[0], totals.soft_violation[0]), (violation, f64::max(net, 0.0)));
}

#[test]
fn a_seed_is_a_run() {
    let run = |seed| played(Environment::delayed(NoiseReading::Variance), seed).rounds().to_vec();
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

/// The round in which each told metric arrived, less the one its trial was asked in.
fn delays(simulation: &Simulation) -> Vec<u64> {
    let (mut now, mut delays) = (0, Vec::new());
    for event in simulation.study().log() {
        match event {
            Event::Asked { round, .. } => now = *round,
            // One trial a round: trial n was asked in round n + 1.
            Event::Told { number, .. } => delays.push(now - (number + 1)),
            _ => {}
        }
    }
    delays
}

#[test]
fn every_metric_comes_once_and_as_late_as_drawn() {
    let prompt = delays(&played(Environment::classical(NoiseReading::Variance), 1));
    assert_eq!(prompt, vec![0; 2 * T]);
    let late = delays(&played(Environment::delayed(NoiseReading::Variance), 1));
    // What is drawn beyond the horizon never comes; the rest is Poisson(15), cut off there.
    assert!(late.len() < 2 * T && late.len() > T / 2, "{late:?}");
    let mean = late.iter().sum::<u64>() as f64 / late.len() as f64;
    assert!((10.0..18.0).contains(&mean), "{mean}");
}

/// No point of a fine grid has a better score than the decision, under each shape of score: penalised,
/// constrained, and clamped.
#[test]
fn a_decision_beats_every_point_of_a_grid() {
    let at = |i: usize| i as f64 / 120.0;
    let grid: Vec<[f64; 2]> = (0..121 * 121).map(|k| [at(k / 121), at(k % 121)]).collect();
    let grid = Points::from_rows(2, &grid);
    for algorithm in ["rpol-ucb", "config", "ckb-ucb"] {
        let environment = Environment::classical(NoiseReading::Variance).stretched(120);
        let base = spec(environment.problem_at(1), 120, 2).unwrap();
        let spec = Spec { preset: Preset::Printed, algorithm: Some(algorithm.into()), ..base };
        let mut simulation = Simulation::new(environment, spec, 2).unwrap();
        while let Some(round) = simulation.step().unwrap().map(|round| round.round) {
            let study = simulation.study();
            let decision = study.trials().last().unwrap().decision.as_ref().unwrap();
            if round % 15 == 0 && !decision.infeasible {
                let scores = study.landscape().unwrap().unwrap().scores(grid.view());
                let best = scores.into_iter().fold(f64::NEG_INFINITY, f64::max);
                let reached = decision.score.unwrap();
                let short = (best - reached) / (1.0 + best.abs());
                assert!(short <= 1e-6, "{algorithm}, round {round}: {short:e} short of {best}");
            }
        }
    }
}
