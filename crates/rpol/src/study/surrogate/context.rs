//! What a decision rests on.

use super::models::Models;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::{Closed, State};

/// All that decides: the definition, what the log adds up to, and the models of it.
///
/// Nothing of it is a copy. The state is the study's own: every event is folded into it once.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Context<'a> {
    pub(in crate::study) spec: &'a Spec,
    pub(in crate::study) plan: &'a Plan,
    /// What the log adds up to.
    pub(in crate::study) state: &'a State,
    pub(in crate::study) models: &'a Models,
}

impl<'a> Context<'a> {
    /// Multipliers and memory once the open round is closed.
    pub(in crate::study) fn closed(&self) -> &'a Closed {
        self.state.closed(self.spec, self.plan)
    }
}
