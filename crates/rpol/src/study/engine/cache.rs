//! Engines that were built already.

use super::Engine;
use super::profile::AskProfile;
use crate::error::Result;
use crate::study::state::State;
use crate::study::surrogate::context::Context;
use std::sync::Arc;

/// Building an engine replays the log, so the last one is kept.
#[derive(Debug, Clone, Default)]
pub(in crate::study) struct EngineCache {
    /// As the last ask left it.
    pub(in crate::study) engine: Option<Arc<Engine>>,
    /// The same with all that was told since, and the length of the log then.
    pub(in crate::study) informed: Option<(usize, Arc<Informed>)>,
    /// Where the time of the last ask went.
    pub(in crate::study) profile: Option<AskProfile>,
}

/// An engine that has seen and learned what the next decision will.
#[derive(Debug)]
pub(in crate::study) struct Informed {
    engine: Engine,
    /// The study's state with what was noticed or fitted just now, where anything was.
    ahead: Option<State>,
}

impl Informed {
    /// Brings a copy of an engine that is in step to where the next decision will have it.
    pub(in crate::study) fn new(mut engine: Engine, state: &State) -> Result<Self> {
        let mut ahead = None;
        if engine.models.ready() {
            let round = state.round + 1;
            if let Some(event) = engine.look(state, round)? {
                let state = ahead.insert(state.clone());
                state.apply(&engine.spec, &engine.plan, &event);
            }
            engine.sync(ahead.as_ref().unwrap_or(state), round)?;
        }
        Ok(Self { engine, ahead })
    }

    /// What a decision would read; `state` is the study's.
    pub(in crate::study) fn context<'a>(&'a self, state: &'a State) -> Context<'a> {
        self.engine.context(self.ahead.as_ref().unwrap_or(state))
    }
}
