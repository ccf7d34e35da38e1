//! Every algorithm on the paper's experiments, round by round against an independent script: `golden/algorithms.py`.
#![allow(clippy::unwrap_used)]

use rpol_lab::curves::{Constants, Curve, Draws, Size, draws, play};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the script was given.
#[derive(Deserialize)]
struct World {
    size: String,
    draws: BTreeMap<String, Draws>,
}

fn world() -> World {
    serde_json::from_str(include_str!("golden/world.json")).unwrap()
}

fn size(constants: &Constants) -> Size {
    constants.sizes[&world().size].clone()
}

#[test]
fn the_script_met_the_world_of_the_simulation() {
    let constants = Constants::read();
    for (experiment, met) in world().draws {
        assert_eq!(met, draws(&constants, &size(&constants), &experiment), "{experiment}");
    }
}

fn near(at: &str, column: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{at}: {column}");
    for (t, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-9, "{at}: {column} of round {t} is {found} instead of {expected}");
    }
}

#[test]
fn every_curve_is_the_script_s() {
    let constants = Constants::read();
    let golden: Vec<Curve> = serde_json::from_str(include_str!("golden/curves.json")).unwrap();
    let algorithms: usize = constants.experiments.values().map(Vec::len).sum();
    assert_eq!(golden.len(), constants.settings.len() * algorithms);
    for expected in golden {
        let Curve { experiment, setting, algorithm, .. } = &expected;
        let at = format!("{experiment}, {setting}, {algorithm}");
        let found = play(&constants, &size(&constants), experiment, setting, algorithm).unwrap();
        let parts = (1..).zip(found.x.iter().zip(&expected.x)).find(|(_, (a, b))| a != b);
        assert_eq!(parts, None, "{at}: the first round with another point");
        near(&at, "R/t", &found.regret, &expected.regret);
        near(&at, "R+/t", &found.positive_regret, &expected.positive_regret);
        near(&at, "V/t", &found.violation, &expected.violation);
        near(&at, "Q", &found.penalty, &expected.penalty);
    }
}
