//! One algorithm through one experiment.

use super::constants::{Constants, Setting, Size};
use super::grid::{on_grid, space};
use crate::experiment::{Round, Simulation, World, spec};
use crate::problem::{Environment, NoiseReading};
use rpol::Result;
use rpol::confidence::{PerOutput, Width};
use rpol::kernel::Kernel;
use rpol::strategy::{Censored, Strategy};
use rpol::study::{Preset, Spec};
use serde::{Deserialize, Serialize};

/// What a run did: entry $t - 1$ is round $t$.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// `classical`, `delayed` or `drifting`.
    pub experiment: String,
    /// A name of the constants' settings.
    pub setting: String,
    /// A name of the literature.
    pub algorithm: String,
    /// The point played, as $k_1 + \text{side}\cdot k_2$: the order of the space.
    pub x: Vec<u64>,
    /// $R(t)/t$.
    pub regret: Vec<f64>,
    /// $R^+(t)/t$.
    pub positive_regret: Vec<f64>,
    /// $V(t)/t$.
    pub violation: Vec<f64>,
    /// $Q_t$ or $\phi_t$; empty where the policy has none.
    pub penalty: Vec<f64>,
}

/// Noise and delays of an experiment: the first list is the reward's, the second the cost's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draws {
    /// Added to the true values.
    pub noise: [Vec<f64>; 2],
    /// In rounds.
    pub delay: [Vec<usize>; 2],
}

/// The paper's experiment of this name, on the grid.
///
/// # Panics
/// Where there is no such experiment, or where constants and library have another noise or other phases.
pub fn environment(constants: &Constants, size: &Size, name: &str) -> Environment {
    let build = match name {
        "classical" => Environment::classical,
        "delayed" => Environment::delayed,
        "drifting" => Environment::drifting,
        other => panic!("the paper has no experiment `{other}`"),
    };
    let environment = build(NoiseReading::Variance).stretched(size.horizon);
    assert_eq!(environment.noise, [constants.noise_variance.sqrt(); 2]);
    let phases = environment.phases.iter().map(|phase| phase.first_round);
    assert!(phases.zip(&size.phases).all(|(ours, given)| ours == *given));
    on_grid(environment, size.side)
}

/// The noise and the delays that every algorithm meets.
pub fn draws(constants: &Constants, size: &Size, experiment: &str) -> Draws {
    let mut world = World::new(&environment(constants, size, experiment), constants.seed);
    let mut draws = Draws { noise: Default::default(), delay: Default::default() };
    for _ in 0..size.horizon {
        for (q, met) in world.next_round().into_iter().enumerate() {
            draws.noise[q].push(met.noise);
            draws.delay[q].push(met.delay);
        }
    }
    draws
}

/// Plays one algorithm, by its name and with the printed preset, through one experiment.
pub fn play(
    constants: &Constants,
    size: &Size,
    experiment: &str,
    setting: &str,
    algorithm: &str,
) -> Result<Curve> {
    let environment = environment(constants, size, experiment);
    let spec =
        definition(constants.seed, size, &environment, &constants.settings[setting], algorithm)?;
    let mut simulation = Simulation::new(environment, spec, constants.seed)?;
    simulation.run()?;
    let rounds = simulation.rounds();
    Ok(Curve {
        experiment: experiment.into(),
        setting: setting.into(),
        algorithm: algorithm.into(),
        x: rounds.iter().map(|r| r.x[0] as u64 + size.side * r.x[1] as u64).collect(),
        regret: averages(rounds, |r| r.regret),
        positive_regret: averages(rounds, |r| r.regret.max(0.0)),
        violation: averages(rounds, |r| r.g[0].max(0.0)),
        penalty: rounds.iter().filter_map(|r| r.penalties.first().copied()).collect(),
    })
}

fn definition(
    seed: u64,
    size: &Size,
    environment: &Environment,
    setting: &Setting,
    algorithm: &str,
) -> Result<Spec> {
    let problem = environment.problem_at(1);
    let mut spec = spec(problem, size.horizon, seed)?;
    spec.params = space(problem)?;
    spec.preset = Preset::Printed;
    spec.algorithm = Some(algorithm.into());
    if algorithm == "rpol-censored-ucb" {
        spec.strategy =
            Some(Strategy::Censored(Censored { within: size.within, ..Censored::default() }));
    }
    spec.initial = Some(size.initial);
    spec.model.kernel = Some(Kernel::squared_exponential(size.lengthscales.clone()));
    spec.model.noise = setting.lambda;
    spec.confidence.width = setting.beta.map(|beta| Width::Constant { beta: PerOutput::All(beta) });
    Ok(spec)
}

/// The mean of a quantity over the rounds up to each.
fn averages(rounds: &[Round], of: impl Fn(&Round) -> f64) -> Vec<f64> {
    let sums = rounds.iter().scan(0.0, |sum, round| {
        *sum += of(round);
        Some(*sum / round.round as f64)
    });
    sums.collect()
}
