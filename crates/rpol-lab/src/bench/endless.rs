//! The classical problem, played for as long as anybody likes.

mod row;

use super::memory::resident;
use crate::experiment::{World, metric_names, setting, spec};
use crate::problem::{Environment, NoiseReading, Problem};
use row::{Mark, Sums};
use rpol::Result;
use rpol::strategy::{Drift, SlidingWindow, Strategy};
use rpol::study::{Spec, Study};
use std::time::Instant;

pub use row::Row;

/// What to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// How long.
    pub rounds: u64,
    /// Decides noise and candidates.
    pub seed: u64,
    /// The sliding-window algorithm with this window, in place of the default.
    pub window: Option<u64>,
    /// The share of optimism a repeat may lack, in place of the default.
    pub reuse: Option<f64>,
}

/// How it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// At rounds 100, 200, 500, ... and the last.
    pub rows: Vec<Row>,
    /// Largest entry of $|LL^\top - K - \Lambda|$ at the end.
    pub rounding: f64,
}

/// Rounds between two moments at which the past is dropped from memory.
const FORGET_EVERY: u64 = 1000;

/// Plays to the end; `tick` hears of every round, `told` of every row.
///
/// ```
/// use rpol_lab::bench::endless::{Request, play};
/// let outcome = play(&Request { rounds: 20, seed: 1, window: Some(5), reuse: None }, || (), |_| ())?;
/// assert_eq!((outcome.rows[0].round, outcome.rows[0].points), (20, 5.0));
/// # Ok::<(), rpol::Error>(())
/// ```
pub fn play(
    request: &Request,
    mut tick: impl FnMut(),
    mut told: impl FnMut(&Row),
) -> Result<Outcome> {
    let environment = Environment::classical(NoiseReading::Variance);
    let problem = environment.problem_at(1);
    let mut study = Study::create(definition(problem, request)?)?;
    let (mut world, metrics) = (World::new(&environment, request.seed), metric_names(problem));
    let (mut marks, mut sums, mut rows) = (Mark::all(request.rounds), Sums::default(), Vec::new());
    for round in 1..=request.rounds {
        let start = Instant::now();
        let asked = study.ask()?;
        let x = setting(problem, &asked);
        let truth = std::iter::once(problem.f(&x)).chain(problem.g(&x));
        let noisy = truth.zip(world.next_round()).map(|(value, met)| value + met.noise);
        study.tell(asked.number, metrics.iter().map(String::as_str).zip(noisy))?;
        if round % FORGET_EVERY == 0 {
            study.drop_history()?;
        }
        sums.seconds += start.elapsed().as_secs_f64();
        sums.regret += problem.regret(&x).max(0.0);
        sums.violation += problem.violation(&x);
        sums.violating += u64::from(!problem.is_feasible(&x));
        for row in marks.iter_mut().filter_map(|mark| mark.at(round, sums)) {
            let points = study.ask_profile().map_or(0, |spent| spent.observations) as f64;
            let row = Row { points, memory: resident(), ..row };
            told(&row);
            rows.push(row);
        }
        tick();
    }
    Ok(Outcome { rows, rounding: study.rounding()? })
}

fn definition(problem: &Problem, request: &Request) -> Result<Spec> {
    let mut spec = Spec { horizon: None, ..spec(problem, 1, request.seed)? };
    spec.model.reuse = request.reuse;
    if let Some(window) = request.window {
        spec.algorithm = Some("rpol-sw-ucb".into());
        spec.strategy = Some(Strategy::SlidingWindow(SlidingWindow { window, drift: Drift::Zero }));
    }
    Ok(spec)
}
