//! Hyper-parameters fitted on schedule.

use super::Engine;
use crate::error::Result;
use crate::random::Stream;
use crate::study::data::visible::View;
use crate::study::log::event::Event;
use crate::study::spec::streams::FIT;
use crate::study::surrogate::background_fit::Fitting;
use crate::study::surrogate::fit_input::FEW;

/// Hyper-parameters are fitted again when the number of values has grown by this factor: the cost of all fits stays
/// a constant number of times the last one's.
const GROWTH: f64 = 1.15;
impl Engine {
    /// Scale and hyper-parameters of every output, where a round is to use new ones.
    pub(in crate::study) fn refit(&mut self, t: u64) -> Result<Option<Event>> {
        self.prepare_fit(t)?;
        let ready = self.fitting.take_if(|fitting| fitting.round <= t);
        ready.map(Fitting::finish).transpose()
    }

    /// Gathers what a fit is to learn from, when the plan says so and it is time.
    pub(in crate::study) fn prepare_fit(&mut self, t: u64) -> Result<()> {
        if self.fitting.is_none() && (self.context.plan.learn || self.context.plan.standardize) {
            self.fitting = self.fit_due(t)?;
        }
        Ok(())
    }

    fn fit_due(&self, t: u64) -> Result<Option<Fitting>> {
        if !self.has_enough_new() {
            return Ok(None);
        }
        let memory = &self.context.closed().memory;
        let fitted = self.context.state.beliefs(&self.context.plan);
        let view = View { plan: &self.context.plan, memory, t, fitted: &fitted, alike: true };
        let table = self.context.gather(&view);
        let asked_for = &table.values[..=self.context.spec.constraints.len()];
        let observations = asked_for.iter().copied().min().unwrap_or(0);
        // After a change few values are left: the old hyper-parameters serve until there are some more.
        if observations < self.context.state.fitted_on.clamp(1, FEW) || self.suspects_change() {
            return Ok(None);
        }
        let outputs = (0..fitted.len()).map(|q| self.context.fit_input(&view, q));
        let fit_inputs = outputs.collect::<Result<_>>()?;
        let first = self.context.state.fitted.is_none();
        let stream = Stream::new(self.context.spec.seed, t).fork(FIT);
        Ok(Some(Fitting::due(t, observations, first, fit_inputs, stream)))
    }

    /// Whether enough values have arrived since the last fit to make another worth its cost.
    fn has_enough_new(&self) -> bool {
        let known = self.context.state.fitted.as_ref().map_or(0, Vec::len);
        if known > 0 && known < self.context.state.beliefs(&self.context.plan).len() {
            return true;
        }
        let new = self.context.state.arrived().saturating_sub(self.context.state.fitted_after);
        let growth = ((GROWTH - 1.0) * self.context.state.fitted_on as f64).ceil() as u64;
        new >= growth.max(1)
    }
}
