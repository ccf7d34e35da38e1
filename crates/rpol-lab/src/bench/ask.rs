//! An ask, part by part, beside the least it must cost.

use super::floor::{Size, Work};
use super::machine::Machine;
use super::player::{Player, Round, Start};
use crate::statistics::median;
use rpol::Result;
use rpol::study::AskProfile;
use serde::Serialize;
use std::time::Duration;

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// What there is before the first round.
    pub start: Start,
    /// Rounds with a search to take medians of.
    pub rounds: usize,
}

/// What was measured: medians in milliseconds over the rounds that searched and fitted nothing.
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
    /// Rounds that needed no search: in no other median.
    pub rests: usize,
    /// An ask of such a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_ms: Option<f64>,
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
    /// Its name in [`AskProfile`].
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
/// use rpol_lab::bench::{Start, ask::{Request, measure}};
/// let start = Start { dims: 1, constraints: 2, observations: 20, seed: 1 };
/// let measured = measure(&Request { start, rounds: 3 }, || ())?;
/// assert!(measured.size.points >= 20 && measured.size.outputs == 3);
/// # Ok::<(), rpol::Error>(())
/// ```
pub fn measure(request: &Request, mut tick: impl FnMut()) -> Result<Measured> {
    let mut player = Player::new(&request.start)?;
    let first = player.round()?.spent;
    tick();
    let (mut rounds, mut rests) = (Vec::with_capacity(request.rounds), Vec::new());
    while rounds.len() < request.rounds {
        let round = player.round()?;
        if round.spent.searched {
            rounds.push(round);
            tick();
        } else {
            rests.push(milliseconds(round.spent.total()));
        }
    }
    let refits = rounds.iter().filter(|round| round.spent.refitted).count();
    // With a handful of observations every round fits.
    if refits < rounds.len() {
        rounds.retain(|round| !round.spent.refitted);
    }
    let measured = summary(&request.start, first, refits, &rounds);
    let rest_ms = (!rests.is_empty()).then(|| median(rests.clone()));
    Ok(Measured { rests: rests.len(), rest_ms, ..measured })
}

fn summary(start: &Start, first: AskProfile, refits: usize, rounds: &[Round]) -> Measured {
    let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let count = |value: &dyn Fn(&AskProfile) -> usize| of(&|r| value(&r.spent) as f64) as usize;
    let size = Size {
        points: count(&|spent| spent.observations),
        candidates: first.candidates,
        factors: count(&|spent| spent.factors),
        outputs: 1 + start.constraints,
        dims: start.dims,
        expansions: of(&|r| r.spent.expansions as f64) as u64,
    };
    let machine = Machine::measure(size.points, size.candidates);
    let part = |name, duration: fn(&AskProfile) -> Duration, work: Work| {
        let ms = of(&|round| milliseconds(duration(&round.spent)));
        Part { name, ms, work, floor_ms: work.ms(&machine) }
    };
    Measured {
        observations: start.observations,
        size,
        machine,
        first_ms: milliseconds(first.total()),
        fit_ms: milliseconds(first.refit),
        refits,
        rests: 0,
        rest_ms: None,
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

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
