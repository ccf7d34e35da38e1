//! What a decision rests on.

use super::models::Models;
use crate::study::log::event::Event;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::{Closed, State};
use std::sync::{Arc, OnceLock};

/// All that decides: the definition, what the log adds up to, and the models of it.
#[derive(Debug, Clone)]
pub(in crate::study) struct Context {
    pub(in crate::study) spec: Arc<Spec>,
    pub(in crate::study) plan: Arc<Plan>,
    /// What the log adds up to, as far as it was followed.
    pub(in crate::study) state: State,
    pub(in crate::study) models: Models,
    /// The open round as it closes, once a decision has asked for it.
    closed: OnceLock<Closed>,
}

impl Context {
    pub(in crate::study) fn new(
        spec: Arc<Spec>,
        plan: Arc<Plan>,
        state: State,
        models: Models,
    ) -> Self {
        Self { spec, plan, state, models, closed: OnceLock::new() }
    }

    /// The same where the log that follows takes back or corrects some of itself.
    pub(in crate::study) fn amended(&self, log: &[Event]) -> Self {
        Self { state: self.state.amended(log), closed: OnceLock::new(), ..self.clone() }
    }

    /// Folds an event into the state.
    pub(in crate::study) fn apply(&mut self, event: &Event) {
        self.closed = OnceLock::new();
        self.state.apply(&self.spec, &self.plan, event);
        // A study keeps old trials for those who look; decisions do not need them.
        self.state.forget_before(self.state.compacted.trials);
    }

    /// Multipliers and memory once the open round is closed: computed once for all that decide by them.
    pub(in crate::study) fn closed(&self) -> &Closed {
        self.closed.get_or_init(|| self.state.closed(&self.spec, &self.plan))
    }
}
