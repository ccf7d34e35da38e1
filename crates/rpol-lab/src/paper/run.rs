//! What is kept of a run: enough for every figure, and no more.

use crate::experiment::Simulation;
use serde::{Deserialize, Serialize};

/// One algorithm in one experiment under one seed, round by round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The settings played.
    pub x: Vec<[f64; 2]>,
    /// $f_t^\star - f_t(x_t)$.
    pub regret: Vec<f64>,
    /// $g_t(x_t)$.
    pub g: Vec<f64>,
    /// The multiplier each decision used; empty for policies that have none.
    pub penalty: Vec<f64>,
    /// Milliseconds each ask took.
    pub ask_ms: Vec<f64>,
}

impl Run {
    /// What a simulation of one of the paper's problems has played so far.
    pub fn of(simulation: &Simulation) -> Self {
        let rounds = simulation.rounds();
        Self {
            x: rounds.iter().map(|round| [round.x[0], round.x[1]]).collect(),
            regret: rounds.iter().map(|round| round.regret).collect(),
            g: rounds.iter().map(|round| round.g[0]).collect(),
            penalty: rounds.iter().filter_map(|round| round.penalties.first().copied()).collect(),
            ask_ms: simulation.ask_ms().to_vec(),
        }
    }

    /// Whether every series has `rounds` values.
    pub fn is_whole(&self, rounds: usize) -> bool {
        let lengths = [self.x.len(), self.regret.len(), self.g.len(), self.ask_ms.len()];
        let penalty = self.penalty.is_empty() || self.penalty.len() == rounds;
        penalty && lengths.iter().all(|length| *length == rounds)
    }
}
