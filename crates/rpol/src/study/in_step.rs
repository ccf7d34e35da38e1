//! The engine of a study, in step with its log.

use super::engine::Engine;
use super::engine::cache::{EngineCache, Informed};
use super::log::event::Event;
use super::study::Study;
use crate::error::Result;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Study {
    /// What is believed, in step with the log.
    pub(in crate::study) fn engine(&self) -> Result<Arc<Engine>> {
        self.remembered(&mut self.locked())
    }

    /// What is believed now that more was told since the last ask: for those who look, not for decisions.
    pub(in crate::study) fn informed(&self) -> Result<Arc<Informed>> {
        let mut kept = self.locked();
        if let Some((_, known)) = kept.informed.as_ref().filter(|(at, _)| *at == self.length()) {
            return Ok(known.clone());
        }
        let engine = (*self.remembered(&mut kept)?).clone();
        let informed = Arc::new(Informed::new(engine, &self.state)?);
        kept.informed = Some((self.length(), informed.clone()));
        Ok(informed)
    }

    fn remembered(&self, kept: &mut EngineCache) -> Result<Arc<Engine>> {
        let engine = self.in_step(kept.engine.take())?;
        kept.engine = Some(engine.clone());
        Ok(engine)
    }

    /// An engine, or one made from the log, once it has noted what was recorded since its last decision.
    pub(in crate::study) fn in_step(&self, engine: Option<Arc<Engine>>) -> Result<Arc<Engine>> {
        let Some(mut engine) = engine else { return self.joined() };
        let new = &self.log[engine.position() - self.dropped()..];
        if !new.is_empty() {
            let engine = Arc::make_mut(&mut engine);
            new.iter().for_each(|event| engine.hear(event));
        }
        Ok(engine)
    }

    /// An engine that joins late. Each decision is followed in the state that it was made in, so this is the one place
    /// where a log is folded again.
    fn joined(&self) -> Result<Arc<Engine>> {
        let mut engine = self.first_engine()?;
        let (follower, mut state) = (Arc::make_mut(&mut engine), self.first_state());
        let first = Engine::first_that_matters(&self.plan, &self.log);
        for (i, event) in self.log.iter().enumerate() {
            if i >= first && self.is_followed(event) {
                follower.replay(event, &mut state)?;
            } else {
                // Under the definition of that time, which the follower has heard of.
                state.apply(&follower.spec, &follower.plan, event);
                follower.hear(event);
            }
        }
        Ok(engine)
    }

    /// Whether a surrogate made the decision: then an engine goes through it again.
    fn is_followed(&self, event: &Event) -> bool {
        matches!(event, Event::Asked { .. }) && self.plan.has_models()
    }

    /// Records the decision of another writer. An engine that is in step follows it now, as the state it was made in is
    /// gone afterwards.
    pub(in crate::study) fn follow(&mut self, event: Event) {
        let engine = match self.is_followed(&event) {
            true => std::mem::take(&mut *self.locked()).engine,
            false => None,
        };
        let Some(mut engine) = engine.and_then(|engine| self.in_step(Some(engine)).ok()) else {
            return self.record(event);
        };
        match Arc::make_mut(&mut engine).replay(&event, &mut self.state) {
            Ok(()) => {
                self.log.push(event);
                self.locked().engine = Some(engine);
            }
            // It is made again from the log, once it is needed.
            Err(_) => self.record(event),
        }
    }

    pub(in crate::study) fn locked(&self) -> MutexGuard<'_, EngineCache> {
        // A panic leaves nothing half done here: an engine is out of its place while it is worked on.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
