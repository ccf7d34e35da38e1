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
//! A search skip lasts at most 16 rounds. `model.reuse = 0` and the printed preset search in every
//! round; so do strategies that forget, and studies with several trials under way. When a search is
//! due follows from the log alone, so a replay searches in the same rounds. Under a promised risk a
//! reused setting is charged to the allowance like any other.

use super::{Engine, begins_anew};
use crate::error::Result;
use crate::policy::score::Estimate;
use crate::study::acquire::decide::Decided;
use crate::study::acquire::recent::RecentSettings;
use crate::study::acquire::timed::Search;
use crate::study::data::stats::OutputStats;
use crate::study::data::visible::believed;
use crate::study::log::event::{By, Decision, Event};
use crate::study::log::trial::{Trial, TrialState};
use crate::study::state::State;

/// Information that may be gained without a search.
const NATS: f64 = 0.005;

/// The settings played last, and what is believed of them.
#[derive(Debug, Clone)]
pub(in crate::study) struct SearchSkip {
    recent: RecentSettings,
    /// Trials before this one are taken in.
    next: u64,
    /// Values taken in since the models were.
    values: u64,
    /// Information gained since then, of each output.
    gained: Vec<f64>,
}

impl SearchSkip {
    /// Whether what is believed still holds all that is known after an event, or will once the next trials are taken in.
    pub(in crate::study) fn outlives(&self, event: &Event) -> bool {
        match event {
            Event::Fitted { .. }
            | Event::Changed { .. }
            | Event::Revised(_)
            | Event::Voided { .. }
            | Event::Corrected { .. } => false,
            // A late result of a trial that was passed over.
            Event::Told { number, .. } => *number >= self.next,
            _ => true,
        }
    }

    /// Takes in a trial that is over; whether that is possible.
    fn take(&mut self, trial: &Trial, values: &[(f64, f64)]) -> bool {
        let Some(place) = self.recent.find(trial.point) else { return false };
        let more = self.recent.observe(place, values);
        self.gained.iter_mut().zip(more).for_each(|(gained, more)| *gained += more);
        self.next = trial.number + 1;
        self.values += 1;
        true
    }
}

impl Engine {
    /// After a decision: begins a rest where there was a search, and ends it when it is over. `hand` is what the search had.
    pub(in crate::study) fn plan_skip(
        &mut self,
        state: &State,
        searched: bool,
        recent: Option<RecentSettings>,
    ) {
        let thrifty =
            self.plan.accumulates() && self.models.ready() && self.context(state).reuses_settings();
        if !thrifty || !state.pace.may_rest() || begins_anew(state.round) {
            self.skip = None;
        } else if searched {
            // The setting asked for just now is not in the models yet.
            let next = state.trials.count() - 1;
            let gained = vec![0.0; self.models.outputs()];
            let recent = recent.or_else(|| self.context(state).recent_settings());
            self.skip = recent.map(|recent| SearchSkip { recent, next, values: 0, gained });
        }
    }

    /// Whether the next decision needs no search; all that was told is taken in then.
    pub(in crate::study) fn absorb_results(&mut self, state: &State) -> bool {
        let Some(mut rest) = self.skip.take() else { return false };
        let fitted = state.beliefs(&self.plan);
        for trial in state.trials.from(rest.next) {
            if trial.state != TrialState::Complete {
                return false;
            }
            let mut values = Vec::with_capacity(fitted.len());
            for (q, fitted) in fitted.iter().enumerate() {
                let Some(arrival) = trial.values[q] else { return false };
                let (mut seen, scale, warp) = (OutputStats::default(), fitted.scale, fitted.warp);
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
        self.skip = Some(rest);
        rests
    }

    /// The best of the settings played last; `None` without a rest.
    pub(in crate::study) fn decide_by_reuse(
        &self,
        state: &State,
        t: u64,
    ) -> Result<Option<Decided>> {
        let Some(rest) = &self.skip else { return Ok(None) };
        let (score, bands) = self.context(state).score(t)?;
        let at: Vec<Vec<Estimate>> =
            (0..rest.recent.len()).map(|i| rest.recent.standard(&self.models, i)).collect();
        // Where none of them is good enough another may be.
        let Some((best, promise, over)) = self.context(state).best_recent(&score, &at) else {
            return Ok(None);
        };
        let rank = score.rank(&at[best]);
        let (x, own) = (rest.recent.x(best), rest.recent.at(&self.models, best));
        let (upper, lower) = self.context(state).bounds(&at[best], &bands);
        let decision = Decision {
            by: By::Reused,
            score: Some(rank.value).filter(|value| value.is_finite()),
            upper: Some(upper),
            lower,
            infeasible: false,
            promise,
            over,
            further_of: None,
            forecast: self.context(state).forecast_of(x, &own, rest.values),
        };
        let params = self.spec.params.decode(x);
        Ok(Some(Decided { params, decision, score: None, search: Search::default(), recent: None }))
    }
}
