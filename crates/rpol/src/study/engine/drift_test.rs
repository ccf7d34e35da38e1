//! Whether what was revealed tells of a change of the system.

use super::Engine;
use crate::error::Result;
use crate::strategy::Residual;
use crate::study::log::event::Event;
use crate::study::state::State;

impl Engine {
    /// Whether what was revealed in the open round tells of a change.
    pub(super) fn watch(&self, state: &State, t: u64) -> Result<Option<Event>> {
        let learning = self.plan.strategy.learning();
        if learning.repeat_test().is_some() {
            let change = state.change_test(&self.plan).change();
            return Ok(change.map(|since| Event::Changed { since }));
        }
        let Some(strategy) = learning.residual_test() else { return Ok(None) };
        for (old, new) in self.residuals.iter().zip(self.new_residuals(state, t)?) {
            let mut seen = old.clone();
            for (since, residual) in new {
                seen.push(residual);
                if strategy.fires(t, &seen) {
                    return Ok(Some(Event::Changed { since }));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn suspects_change(&self, state: &State) -> bool {
        state.change_test(&self.plan).doubt().is_some()
    }

    /// Values revealed in the open round against what the models believed before them, with the
    /// round each was asked in.
    pub(super) fn new_residuals(&self, state: &State, t: u64) -> Result<Vec<Vec<(u64, Residual)>>> {
        let mut all = vec![Vec::new(); self.residuals.len()];
        if !self.models.ready() {
            return Ok(all);
        }
        for trial in state.uncompacted() {
            let fresh =
                |q: &usize| trial.counts(*q) && trial.values[*q].is_some_and(|a| a.round + 1 == t);
            let outputs: Vec<usize> = (0..all.len()).filter(fresh).collect();
            if outputs.is_empty() || trial.round < state.memory.since {
                continue;
            }
            let at = self.models.estimate(&trial.x)?;
            for q in outputs {
                let value = trial.values[q].map_or(0.0, |a| a.value);
                let noise = self.noise_level(q)? * self.models.scale(q).spread;
                let residual =
                    Residual { error: value - at[q].mean, deviation: at[q].deviation, noise };
                all[q].push((trial.round, residual));
            }
        }
        Ok(all)
    }

    /// $R$ in standard units: what the width states, where it does; else what the model says.
    fn noise_level(&self, q: usize) -> Result<f64> {
        let stated = self.plan.width.constants(self.spec.outputs()[q])?;
        Ok(stated.map_or_else(|| self.models.noise(q).sqrt(), |(_, noise)| noise))
    }
}
