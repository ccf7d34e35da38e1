//! The constants that both sides read.

use serde::Deserialize;
use std::collections::BTreeMap;

/// `tests/golden/constants.json`. Fields that only the script needs are left out here: a study has them by the name of its
/// algorithm and the printed preset, and other values there would part the curves.
#[derive(Clone, Debug, Deserialize)]
pub struct Constants {
    /// Of the study and of the world.
    pub seed: u64,
    /// Of every output.
    pub noise_variance: f64,
    /// How long and how fine.
    pub sizes: BTreeMap<String, Size>,
    /// How wide the band is.
    pub settings: BTreeMap<String, Setting>,
    /// The algorithms of each experiment.
    pub experiments: BTreeMap<String, Vec<String>>,
}

/// How long a run is and how fine its grid.
#[derive(Clone, Debug, Deserialize)]
pub struct Size {
    /// $T$.
    pub horizon: usize,
    /// Points along a coordinate.
    pub side: u64,
    /// Of the squared exponential, as shares of the ranges.
    pub lengthscales: Vec<f64>,
    /// Quasi-random points before the first decision.
    pub initial: u64,
    /// First rounds of the phases where the problem drifts.
    pub phases: Vec<usize>,
    /// $m$ of censored feedback.
    pub within: u64,
}

/// What a study is told beside the preset.
#[derive(Clone, Debug, Deserialize)]
pub struct Setting {
    /// $\lambda$; the preset's when left out.
    pub lambda: Option<f64>,
    /// A constant width; the preset's, with the theory's constants, when left out.
    pub beta: Option<f64>,
}

impl Constants {
    /// The constants of this repository.
    pub fn read() -> Self {
        let text = include_str!("../../tests/golden/constants.json");
        serde_json::from_str(text).expect("the file is part of the repository")
    }
}
