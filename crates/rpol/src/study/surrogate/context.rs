//! What a decision rests on.

use super::models::Models;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use std::sync::Arc;

/// All that decides: the definition, what the log adds up to, and the models of it.
#[derive(Debug, Clone)]
pub(in crate::study) struct Context {
    pub(in crate::study) spec: Arc<Spec>,
    pub(in crate::study) plan: Arc<Plan>,
    /// What the log adds up to, as far as it was followed.
    pub(in crate::study) state: State,
    pub(in crate::study) models: Models,
}
