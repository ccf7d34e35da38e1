//! An ask, part by part, beside the least it must cost.

use super::floor::{Size, Work};
use super::machine::Machine;
use super::{median, problem};
use crate::experiment::{World, metric_names, setting, spec};
use crate::problem::Problem;
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::study::{Spent, Study, Suggestion};
use rpol::{Params, Result};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Labels the stream of the history's settings.
const HISTORY: u64 = 0x0062_656e;

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Coordinates.
    pub dims: usize,
    /// Limits.
    pub constraints: usize,
    /// Trials in the history.
    pub observations: usize,
    /// Rounds to take medians of.
    pub rounds: usize,
    /// Decides history, noise and candidates.
    pub seed: u64,
}

/// What was measured: medians in milliseconds over the rounds that fitted nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Trials in the history.
    pub observations: usize,
    /// How large the work was.
    pub size: Size,
    /// What the machine can do with work of that size.
    pub machine: Machine,
    /// The first ask, which fits and builds everything.
    pub first_ms: f64,
    /// How much of it was the fit.
    pub fit_ms: f64,
    /// Rounds that fitted again, and are in no median.
    pub refits: usize,
    /// A whole ask.
    pub ask_ms: f64,
    /// A tell.
    pub tell_ms: f64,
    /// Where an ask's time went.
    pub parts: Vec<Part>,
}

/// A part of an ask.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Its name in [`Spent`].
    pub name: &'static str,
    /// What it took.
    pub ms: f64,
    /// What it must do.
    pub work: Work,
    /// How long that must take.
    pub floor_ms: f64,
}

impl Measured {
    /// An ask and a tell.
    pub fn round_ms(&self) -> f64 {
        self.ask_ms + self.tell_ms
    }

    /// The floors of all parts.
    pub fn floor_ms(&self) -> f64 {
        self.parts.iter().map(|part| part.floor_ms).sum()
    }

    /// An ask over its floor.
    pub fn ratio(&self) -> f64 {
        self.ask_ms / self.floor_ms()
    }
}

/// Plays the rounds after a history of random settings, and calls `tick` after each.
///
/// ```
/// use rpol_lab::bench::ask::{Request, measure};
/// let request = Request { dims: 1, constraints: 2, observations: 20, rounds: 3, seed: 1 };
/// let measured = measure(&request, || ())?;
/// assert!(measured.size.points >= 20 && measured.size.outputs == 3);
/// # Ok::<(), rpol::Error>(())
/// ```
pub fn measure(request: &Request, mut tick: impl FnMut()) -> Result<Measured> {
    let mut player = Player::new(request)?;
    let first = player.round()?.spent;
    tick();
    let mut rounds = Vec::with_capacity(request.rounds);
    for _ in 0..request.rounds {
        rounds.push(player.round()?);
        tick();
    }
    let refits = rounds.iter().filter(|round| round.spent.refitted).count();
    // With a handful of observations every round fits.
    if refits < rounds.len() {
        rounds.retain(|round| !round.spent.refitted);
    }
    Ok(summary(request, first, refits, &rounds))
}

/// One round.
struct Round {
    spent: Spent,
    tell: Duration,
}

fn summary(request: &Request, first: Spent, refits: usize, rounds: &[Round]) -> Measured {
    let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let count = |value: &dyn Fn(&Spent) -> usize| of(&|r| value(&r.spent) as f64) as usize;
    let size = Size {
        points: count(&|spent| spent.observations),
        candidates: first.candidates,
        factors: count(&|spent| spent.factors),
        outputs: 1 + request.constraints,
        dims: request.dims,
        expansions: of(&|r| r.spent.expansions as f64) as u64,
    };
    let machine = Machine::measure(size.points, size.candidates);
    let part = |name, duration: fn(&Spent) -> Duration, work: Work| {
        let ms = of(&|round| milliseconds(duration(&round.spent)));
        Part { name, ms, work, floor_ms: work.ms(&machine) }
    };
    Measured {
        observations: request.observations,
        size,
        machine,
        first_ms: milliseconds(first.total()),
        fit_ms: milliseconds(first.refit),
        refits,
        ask_ms: of(&|round| milliseconds(round.spent.total())),
        tell_ms: of(&|round| milliseconds(round.tell)),
        parts: vec![
            part("refit", |spent| spent.refit, Work::default()),
            part("update", |spent| spent.update, size.update()),
            part("score", |spent| spent.score, size.score()),
            part("polish", |spent| spent.polish, size.polish()),
            part("rest", |spent| spent.rest, Work::default()),
        ],
    }
}

/// A default study and the system it plays.
struct Player {
    study: Study,
    problem: Problem,
    metrics: Vec<String>,
    world: World,
}

impl Player {
    fn new(request: &Request) -> Result<Self> {
        let environment = problem::environment(request.dims, request.constraints);
        let problem = environment.problem_at(1).clone();
        let mut spec = spec(&problem, 1, request.seed)?;
        // The history is the design, and there is no end.
        (spec.initial, spec.horizon) = (Some(0), None);
        let world = World::new(&environment, request.seed);
        let metrics = metric_names(&problem);
        let mut player = Self { study: Study::create(spec)?, problem, metrics, world };
        let mut stream = Stream::new(request.seed, 0).fork(HISTORY);
        let mut sobol = Sobol::scrambled(request.dims, &mut stream)?;
        for unit in sobol.points().take(request.observations) {
            let x = player.problem.from_unit(&unit);
            let names = player.problem.domain.iter().map(|p| p.name.clone());
            let params: Params = names.zip(x.iter().map(|x| (*x).into())).collect();
            let values = player.values(&x);
            player.study.add(params, values)?;
        }
        Ok(player)
    }

    /// What is read at `x`.
    fn values(&mut self, x: &[f64]) -> Vec<(String, f64)> {
        let truth = std::iter::once(self.problem.f(x)).chain(self.problem.g(x));
        let noisy = truth.zip(self.world.next_round()).map(|(value, met)| value + met.noise);
        self.metrics.iter().cloned().zip(noisy).collect()
    }

    fn round(&mut self) -> Result<Round> {
        let asked: Suggestion = self.study.ask()?;
        let spent = self.study.spent().unwrap_or_default();
        let values = self.values(&setting(&self.problem, &asked));
        let start = Instant::now();
        self.study.tell(asked.number, values)?;
        Ok(Round { spent, tell: start.elapsed() })
    }
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
