//! Models in step with what a decision may see.

use super::Engine;
use crate::error::Result;
use crate::study::data::visible::View;
use crate::study::surrogate::models::TargetRows;

impl Engine {
    /// Brings models and residuals to where decision `t` needs them: the same for a live study and
    /// for a replay, so that both end with the same bits.
    pub(in crate::study) fn sync(&mut self, t: u64) -> Result<()> {
        if self.context.plan.strategy.learning().residual_test().is_some() {
            if self.context.state.changed {
                self.residuals.iter_mut().for_each(Vec::clear);
            } else {
                let new = self.new_residuals(t)?;
                self.residuals.iter_mut().zip(new).for_each(|(old, new)| {
                    old.extend(new.into_iter().map(|(_, residual)| residual));
                });
            }
        }
        let memory = &self.context.closed().memory;
        let fitted = self.context.state.beliefs(&self.context.plan);
        let plan = &*self.context.plan;
        let table = self.context.gather(&View { plan, memory, t, fitted: &fitted, alike: false });
        let outputs = fitted.iter().enumerate();
        let wanted: Vec<TargetRows> =
            outputs.map(|(q, fitted)| TargetRows::new(&table, q, fitted)).collect();
        self.context.models.sync(&wanted)
    }
}
