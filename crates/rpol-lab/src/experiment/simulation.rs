//! Ask, measure, tell when it is time.

use super::metrics::{Round, Totals};
use super::spec::metric_names;
use super::world::World;
use crate::problem::{Environment, Problem};
use rpol::study::{Spec, Study, Suggestion};
use rpol::{Result, Value};
use std::time::Instant;

/// A study that plays an environment.
///
/// ```
/// use rpol_lab::experiment::{Simulation, spec};
/// use rpol_lab::problem::{Environment, NoiseReading};
/// let classical = Environment::classical(NoiseReading::Variance).stretched(8);
/// let spec = spec(classical.problem_at(1), classical.horizon, 0)?;
/// let totals = Simulation::new(classical, spec, 0)?.run()?;
/// assert_eq!(totals.rounds, 8);
/// # Ok::<(), rpol::Error>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    environment: Environment,
    study: Study,
    rounds: Vec<Round>,
    ask_ms: Vec<f64>,
    world: World,
    outputs: Vec<Output>,
}

/// One metric, and what is still under way.
#[derive(Debug)]
struct Output {
    metric: String,
    under_way: Vec<Message>,
}

#[derive(Debug)]
struct Message {
    number: u64,
    value: f64,
    /// The round after whose ask it is told.
    due: usize,
}

impl Simulation {
    /// A study of `spec` in `environment`, noise and delays drawn under `seed`.
    pub fn new(environment: Environment, spec: Spec, seed: u64) -> Result<Self> {
        let world = World::new(&environment, seed);
        let output = |metric| Output { metric, under_way: Vec::new() };
        let outputs = metric_names(environment.problem_at(1)).into_iter().map(output).collect();
        let study = Study::create(spec)?;
        Ok(Self { environment, study, rounds: Vec::new(), ask_ms: Vec::new(), world, outputs })
    }

    /// Plays every round that is left.
    pub fn run(&mut self) -> Result<Totals> {
        while self.step()?.is_some() {}
        Ok(self.totals())
    }

    /// Plays one round; `None` when the horizon is reached.
    pub fn step(&mut self) -> Result<Option<&Round>> {
        let round = self.rounds.len() + 1;
        if round > self.environment.horizon {
            return Ok(None);
        }
        let penalties = self.study.penalties();
        let start = Instant::now();
        let asked = self.study.ask()?;
        self.ask_ms.push(1e3 * start.elapsed().as_secs_f64());
        let problem = self.environment.problem_at(round).clone();
        let x = setting(&problem, &asked);
        let (f, g) = (problem.f(&x), problem.g(&x));
        self.send(round, asked.number, std::iter::once(f).chain(g.iter().copied()));
        self.deliver(round)?;
        self.rounds.push(Round { round, regret: problem.regret(&x), x, f, g, penalties });
        Ok(self.rounds.last())
    }

    fn send(&mut self, round: usize, number: u64, values: impl Iterator<Item = f64>) {
        let met = self.world.next_round();
        for ((output, value), met) in self.outputs.iter_mut().zip(values).zip(met) {
            let message = Message { number, value: value + met.noise, due: round + met.delay };
            output.under_way.push(message);
        }
    }

    fn deliver(&mut self, round: usize) -> Result<()> {
        for output in &mut self.outputs {
            let (arrived, later) = output.under_way.drain(..).partition(|m| m.due <= round);
            output.under_way = later;
            let arrived: Vec<Message> = arrived;
            for message in arrived {
                self.study.tell(message.number, [(output.metric.as_str(), message.value)])?;
            }
        }
        Ok(())
    }

    /// The study as it stands.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The rounds played so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Milliseconds each ask took.
    pub fn ask_ms(&self) -> &[f64] {
        &self.ask_ms
    }

    /// The sums so far.
    pub fn totals(&self) -> Totals {
        Totals::of(&self.rounds)
    }
}

/// Where a study wants to look, in the problem's coordinates.
pub(crate) fn setting(problem: &Problem, asked: &Suggestion) -> Vec<f64> {
    let number = |value: &Value| match value {
        Value::Float(x) => *x,
        Value::Int(x) => *x as f64,
        other => unreachable!("a problem has numbers only, not {other}"),
    };
    problem.domain.iter().map(|p| number(&asked.params[&p.name])).collect()
}
