//! The search itself: a study against the paper's environment.

use rpol::Result;
use rpol_lab::experiment::{Simulation, spec};
use rpol_lab::problem::Environment;

/// What one round did, with the true values that only the demonstration knows.
pub(super) struct Round {
    /// In the problem's own units.
    pub(super) x: Vec<f64>,
    /// $f(x_t)$ without noise.
    pub(super) f: f64,
    /// $g(x_t)$ without noise.
    pub(super) g: f64,
    /// $Q_t$, which the decision used.
    pub(super) penalty: f64,
}

/// Plays the environment to its horizon, and calls `tick` after each round.
pub(super) fn play(
    environment: &Environment,
    seed: u64,
    mut tick: impl FnMut(),
) -> Result<Vec<Round>> {
    let spec = spec(environment.problem_at(1), environment.horizon, seed)?;
    let mut simulation = Simulation::new(environment.clone(), spec, seed)?;
    while simulation.step()?.is_some() {
        tick();
    }
    let round = |r: &rpol_lab::experiment::Round| Round {
        x: r.x.clone(),
        f: r.f,
        g: r.g[0],
        penalty: r.penalties[0],
    };
    Ok(simulation.rounds().iter().map(round).collect())
}

/// $V(t) = \sum_{s \le t} [g(x_s)]^+$ after every round.
pub(super) fn cumulative_violation(rounds: &[Round]) -> Vec<f64> {
    let sum = |sum: &mut f64, round: &Round| {
        *sum += round.g.max(0.0);
        Some(*sum)
    };
    rounds.iter().scan(0.0, sum).collect()
}
