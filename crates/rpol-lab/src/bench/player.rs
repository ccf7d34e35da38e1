//! A default study with a history, and the system it plays.

use super::problem;
use crate::experiment::{World, metric_names, setting, spec};
use crate::problem::Problem;
use rpol::gp::Scale;
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::study::{AskProfile, Event, Fitted, Study};
use rpol::{Kernel, Params, Result};
use std::time::{Duration, Instant};

/// Labels the stream of the history's settings.
const HISTORY: u64 = 0x0062_656e;

/// What there is before the first round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Coordinates.
    pub dims: usize,
    /// Limits.
    pub constraints: usize,
    /// Trials in the history, at scrambled Sobol points.
    pub observations: usize,
    /// Decides history, noise and candidates.
    pub seed: u64,
}

/// A default study and the system it plays: the paper's classical problem where it has two dimensions and one
/// constraint, waves elsewhere.
#[derive(Debug)]
pub struct Player {
    study: Study,
    problem: Problem,
    metrics: Vec<String>,
    world: World,
}

/// One round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Where the time of its ask went.
    pub spent: AskProfile,
    /// How long its tell took.
    pub tell: Duration,
}

/// What is to be told of a trial.
pub type Values = Vec<(String, f64)>;

impl Player {
    /// The study has its history, and has not been asked yet.
    pub fn new(start: &Start) -> Result<Self> {
        let environment = problem::environment(start.dims, start.constraints);
        let problem = environment.problem_at(1).clone();
        let mut spec = spec(&problem, 1, start.seed)?;
        // The history is the design, and there is no end.
        (spec.initial, spec.horizon) = (Some(0), None);
        let world = World::new(&environment, start.seed);
        let metrics = metric_names(&problem);
        let mut player = Self { study: Study::create(spec)?, problem, metrics, world };
        let mut stream = Stream::new(start.seed, 0).fork(HISTORY);
        let mut sobol = Sobol::scrambled(start.dims, &mut stream)?;
        for unit in sobol.points().take(start.observations) {
            let x = player.problem.from_unit(&unit);
            let names = player.problem.domain.iter().map(|p| p.name.clone());
            let params: Params = names.zip(x.iter().map(|x| (*x).into())).collect();
            let values = player.values(&x);
            player.study.add(params, values)?;
        }
        Ok(player)
    }

    /// The same as if hyper-parameters had just been fitted; they are made up, one kernel an output. A fit takes most
    /// of the time where programs run slowly to be looked at.
    pub fn fitted(start: &Start) -> Result<Self> {
        let mut player = Self::new(start)?;
        let outputs =
            (0..player.metrics.len()).map(|q| player.made_up(q)).collect::<Result<_>>()?;
        let fitted = Event::Fitted { observations: start.observations as u64, outputs };
        player.study.extend(vec![fitted])?;
        Ok(player)
    }

    fn made_up(&self, q: usize) -> Result<Fitted> {
        let metric = &self.metrics[q];
        let values = self.study.trials().iter().map(|trial| trial.metrics[metric].value.get());
        let scale = Scale::robust(&values.collect::<Vec<f64>>())?;
        let length = 0.25 + 0.05 * q as f64;
        let kernel = Kernel::matern52(vec![length; self.problem.dims()]).scaled(1.0);
        Ok(Fitted { kernel, noise: 0.05, warp: Default::default(), scale, degraded: None })
    }

    /// The study.
    pub fn study(&mut self) -> &mut Study {
        &mut self.study
    }

    /// Asks, measures and tells.
    pub fn round(&mut self) -> Result<Round> {
        let (number, values) = self.ask()?;
        let spent = self.study.ask_profile().unwrap_or_default();
        let start = Instant::now();
        self.study.tell(number, values)?;
        Ok(Round { spent, tell: start.elapsed() })
    }

    /// Asks and measures: the trial, and what is to be told of it.
    pub fn ask(&mut self) -> Result<(u64, Values)> {
        let asked = self.study.ask()?;
        let values = self.values(&setting(&self.problem, &asked));
        Ok((asked.number, values))
    }

    /// What is read at `x`.
    fn values(&mut self, x: &[f64]) -> Values {
        let truth = std::iter::once(self.problem.f(x)).chain(self.problem.g(x));
        let noisy = truth.zip(self.world.next_round()).map(|(value, met)| value + met.noise);
        self.metrics.iter().cloned().zip(noisy).collect()
    }
}
