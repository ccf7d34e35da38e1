//! Models in step with what a decision may see.

use super::Engine;
use crate::error::Result;
use crate::study::data::visible::View;
use crate::study::state::State;
use crate::study::surrogate::models::TargetRows;

impl Engine {
    /// Brings models and residuals to where decision `t` needs them: the same for a live study and
    /// for a replay, so that both end with the same bits.
    pub(in crate::study) fn sync(&mut self, state: &State, t: u64) -> Result<()> {
        if self.plan.strategy.learning().residual_test().is_some() {
            if state.changed {
                self.residuals.iter_mut().for_each(Vec::clear);
            } else {
                let new = self.new_residuals(state, t)?;
                self.residuals.iter_mut().zip(new).for_each(|(old, new)| {
                    old.extend(new.into_iter().map(|(_, residual)| residual));
                });
            }
        }
        let memory = &self.context(state).closed().memory;
        let fitted = state.beliefs(&self.plan);
        let plan = &*self.plan;
        let table =
            self.context(state).gather(&View { plan, memory, t, fitted: &fitted, alike: false });
        let outputs = fitted.iter().enumerate();
        let wanted: Vec<TargetRows> =
            outputs.map(|(q, fitted)| TargetRows::new(&table, q, fitted)).collect();
        self.models.sync(&wanted)
    }
}
