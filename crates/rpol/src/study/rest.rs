//! Rounds without a search.
//!
//! After hundreds of rounds a search for the maximum mostly ends at a setting played a moment ago. So it is not made in every
//! round: in between the best of the settings played last is played again. What is believed of these is exact, with
//! every value taken in as it comes; only whether there is a better setting elsewhere is not looked at. It is looked at
//!
//! - when the rest is over: one round longer after every search that found nothing better, half as long after one that did;
//! - when some output's information has grown by [`NATS`] since the last search: until then no deviation, anywhere, has
//!   shrunk to less than $e^{-\mathrm{nats}}$ of what it was (Calandriello et al. 2020 use this to delay updates, at a constant
//!   factor of the regret);
//! - after a fit, a change of the system, a setting that is not among the last, or a result that is late or missing.
//!
//! A search skip lasts at most 16 rounds. `model.thrift = 0` and the printed preset search in every
//! round; so do strategies that forget, and studies with several trials under way. When a search is
//! due follows from the log alone, so a replay searches in the same rounds. Under a promised risk a
//! reused setting is charged to the allowance like any other.

use super::decide::Decided;
use super::event::{By, Decision, Event, Promise};
use super::gathered::Gathered;
use super::hand::Hand;
use super::mind::Mind;
use super::trial::{Trial, TrialState};
use super::view::believed;
use super::watched::Search;
use crate::error::Result;
use crate::policy::score::{Estimate, Score};

/// Information that may be gained without a search.
const NATS: f64 = 0.005;
/// Most rounds between two searches.
const LONGEST: u64 = 16;

/// When a search is due: a function of the log alone, so that a replay searches in the same rounds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    /// Rounds between the last search and the next.
    length: u64,
    /// How many of them are over.
    rested: u64,
}

impl Pace {
    pub(super) fn note(&mut self, by: By) {
        *self = match by {
            By::Rested => Self { rested: self.rested + 1, ..*self },
            By::Repeated => Self { length: (self.length + 1).min(LONGEST), rested: 0 },
            _ => Self { length: self.length / 2, rested: 0 },
        };
    }

    fn may_rest(self) -> bool {
        self.rested < self.length
    }
}

/// The settings played last, and what is believed of them.
#[derive(Debug, Clone)]
pub(super) struct Rest {
    hand: Hand,
    /// Trials before this one are taken in.
    next: u64,
    /// Values taken in since the models were.
    values: u64,
    /// Information gained since then, of each output.
    gained: Vec<f64>,
}

impl Rest {
    /// Whether what is believed still holds all that is known after an event, or will once the next trials are taken in.
    pub(super) fn outlives(&self, event: &Event) -> bool {
        match event {
            Event::Fitted { .. }
            | Event::Changed { .. }
            | Event::Voided { .. }
            | Event::Corrected { .. } => false,
            // A late result of a trial that was passed over.
            Event::Told { number, .. } => *number >= self.next,
            _ => true,
        }
    }

    /// Takes in a trial that is over; whether that is possible.
    fn take(&mut self, trial: &Trial, values: &[(f64, f64)]) -> bool {
        let Some(place) = self.hand.find(trial.point) else { return false };
        let more = self.hand.observe(place, values);
        self.gained.iter_mut().zip(more).for_each(|(gained, more)| *gained += more);
        self.next = trial.number + 1;
        self.values += 1;
        true
    }
}

impl Mind {
    /// After a decision: begins a rest where there was a search, and ends it when it is over. `hand` is what the search had.
    pub(super) fn rest_after(&mut self, searched: bool, hand: Option<Hand>) {
        let thrifty = self.plan.accumulates() && self.models.ready() && self.is_thrifty();
        if !thrifty || !self.state.pace.may_rest() {
            self.rest = None;
        } else if searched {
            // The setting asked for just now is not in the models yet.
            let next = self.state.trials.count() - 1;
            let gained = vec![0.0; self.models.outputs()];
            let hand = hand.or_else(|| self.hand());
            self.rest = hand.map(|hand| Rest { hand, next, values: 0, gained });
        }
    }

    /// Whether the next decision needs no search; all that was told is taken in then.
    pub(super) fn take_in_told(&mut self) -> bool {
        let Some(mut rest) = self.rest.take() else { return false };
        let fitted = self.state.beliefs(&self.plan);
        for trial in self.state.trials.from(rest.next) {
            if trial.state != TrialState::Complete {
                return false;
            }
            let mut values = Vec::with_capacity(fitted.len());
            for (q, fitted) in fitted.iter().enumerate() {
                let Some(arrival) = trial.values[q] else { return false };
                let (mut seen, scale, warp) = (Gathered::default(), fitted.scale, fitted.warp);
                let sem = arrival.sem.map(|sem| sem * warp.slope(arrival.value));
                let value = believed(&self.plan, trial, q, arrival.value);
                seen.note(warp.apply(value), sem, 1.0, scale.spread);
                let Some(valued) = seen.valued(fitted) else { return false };
                values.push((scale.standard(valued.value), valued.noise));
            }
            if !rest.take(trial, &values) {
                return false;
            }
        }
        let rests = rest.gained.iter().all(|gained| *gained < NATS);
        self.rest = Some(rest);
        rests
    }

    /// The place of the best of these, what is promised of it, and how probable it is that it goes over.
    fn best_at_hand(
        &self,
        score: &Score,
        at: &[Vec<Estimate>],
    ) -> Option<(usize, Promise, Option<f64>)> {
        if self.plan.guards() && !self.spec.constraints.is_empty() {
            return self.known_at_hand(at).map(|(i, promise, over)| (i, promise, Some(over)));
        }
        let ranks: Vec<_> = at.iter().map(|at| score.rank(at)).collect();
        let better = |a: usize, b: usize| if ranks[b].beats(ranks[a]) { b } else { a };
        let best = (0..ranks.len()).reduce(better).filter(|best| ranks[*best].violation == 0.0);
        best.map(|best| (best, Promise::default(), None))
    }

    /// The best of the settings played last; `None` without a rest.
    pub(super) fn decide_at_rest(&self, t: u64) -> Result<Option<Decided>> {
        let Some(rest) = &self.rest else { return Ok(None) };
        let (score, bands) = self.score(t)?;
        let at: Vec<Vec<Estimate>> =
            (0..rest.hand.len()).map(|i| rest.hand.standard(&self.models, i)).collect();
        // Where none of them is good enough another may be.
        let Some((best, promise, over)) = self.best_at_hand(&score, &at) else { return Ok(None) };
        let rank = score.rank(&at[best]);
        let (x, own) = (rest.hand.x(best), rest.hand.at(&self.models, best));
        let (upper, lower) = self.bounds(&at[best], &bands);
        let decision = Decision {
            by: By::Rested,
            score: Some(rank.value).filter(|value| value.is_finite()),
            upper: Some(upper),
            lower,
            infeasible: false,
            promise,
            over,
            forecast: self.forecast_of(x, &own, rest.values),
        };
        let params = self.spec.params.decode(x);
        Ok(Some(Decided { params, decision, score: None, search: Search::default(), hand: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_by_one_and_halve() {
        let mut pace = Pace::default();
        let mut rests = |by: By| {
            pace.note(by);
            let mut count = 0;
            while pace.may_rest() {
                pace.note(By::Rested);
                count += 1;
            }
            count
        };
        assert_eq!(rests(By::Polished), 0);
        let grown: Vec<u64> = (0..20).map(|_| rests(By::Repeated)).collect();
        assert_eq!((grown[0], grown[1], grown[15], grown[19]), (1, 2, 16, 16));
        assert_eq!((rests(By::Polished), rests(By::Pool), rests(By::Repeated)), (8, 4, 5));
    }
}
