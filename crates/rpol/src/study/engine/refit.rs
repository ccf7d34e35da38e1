//! Hyper-parameters fitted on schedule.

use super::Engine;
use crate::error::Result;
use crate::random::Stream;
use crate::study::data::visible::View;
use crate::study::log::event::Event;
use crate::study::spec::streams::FIT;
use crate::study::state::State;
use crate::study::surrogate::background_fit::Fitting;
use crate::study::surrogate::fit_input::FEW;

/// Hyper-parameters are fitted again when the number of values has grown by this factor: the cost of all fits stays
/// a constant number of times the last one's.
const GROWTH: f64 = 1.15;

impl Engine {
    /// Scale and hyper-parameters of every output, where a round is to use new ones.
    pub(super) fn refit(&mut self, state: &State, t: u64) -> Result<Option<Event>> {
        self.prepare_fit(state, t)?;
        let ready = self.fitting.take_if(|fitting| fitting.round <= t);
        ready.map(Fitting::finish).transpose()
    }

    /// Gathers what a fit is to learn from, when the plan says so and it is time.
    pub(super) fn prepare_fit(&mut self, state: &State, t: u64) -> Result<()> {
        if self.fitting.is_none() && (self.plan.learn || self.plan.standardize) {
            self.fitting = self.fit_due(state, t)?;
        }
        Ok(())
    }

    fn fit_due(&self, state: &State, t: u64) -> Result<Option<Fitting>> {
        if !self.has_enough_new(state) {
            return Ok(None);
        }
        let memory = &self.context(state).closed().memory;
        let fitted = state.beliefs(&self.plan);
        let view = View { plan: &self.plan, memory, t, fitted: &fitted, alike: true };
        let table = self.context(state).gather(&view);
        let asked_for = &table.values[..=self.spec.constraints.len()];
        let observations = asked_for.iter().copied().min().unwrap_or(0);
        // After a change few values are left: the old hyper-parameters serve until there are some more.
        if observations < state.fitted_on.clamp(1, FEW) || self.suspects_change(state) {
            return Ok(None);
        }
        let outputs = (0..fitted.len()).map(|q| self.context(state).fit_input(&view, q));
        let fit_inputs = outputs.collect::<Result<_>>()?;
        let first = state.fitted.is_none();
        let stream = Stream::new(self.spec.seed, t).fork(FIT);
        Ok(Some(Fitting::due(t, observations, first, fit_inputs, stream)))
    }

    /// Whether enough values have arrived since the last fit to make another worth its cost.
    fn has_enough_new(&self, state: &State) -> bool {
        let known = state.fitted.as_ref().map_or(0, Vec::len);
        if known > 0 && known < state.beliefs(&self.plan).len() {
            return true;
        }
        let new = state.arrived().saturating_sub(state.fitted_after);
        let growth = ((GROWTH - 1.0) * state.fitted_on as f64).ceil() as u64;
        new >= growth.max(1)
    }
}
