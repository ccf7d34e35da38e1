//! The engine of a study, in step with its log.

use super::engine::Engine;
use super::engine::cache::EngineCache;
use super::study::Study;
use crate::error::Result;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Study {
    /// What is believed, in step with the log.
    pub(in crate::study) fn engine(&self) -> Result<Arc<Engine>> {
        self.remembered(&mut self.locked())
    }

    /// What is believed now that more was told since the last ask: for those who look, not for decisions.
    pub(in crate::study) fn informed(&self) -> Result<Arc<Engine>> {
        let mut kept = self.locked();
        if let Some((_, engine)) = kept.informed.as_ref().filter(|(at, _)| *at == self.length()) {
            return Ok(engine.clone());
        }
        let engine = Arc::new(self.remembered(&mut kept)?.informed()?);
        kept.informed = Some((self.length(), engine.clone()));
        Ok(engine)
    }

    fn remembered(&self, kept: &mut EngineCache) -> Result<Arc<Engine>> {
        let engine = self.in_step(kept.engine.take())?;
        kept.engine = Some(engine.clone());
        Ok(engine)
    }

    pub(in crate::study) fn in_step(&self, engine: Option<Arc<Engine>>) -> Result<Arc<Engine>> {
        let mut engine = match engine {
            Some(engine) => engine,
            None => self.first_engine()?,
        };
        if engine.position() < self.length() {
            let new = &self.log[engine.position() - self.forgotten()..];
            Arc::make_mut(&mut engine).replay_log(new)?;
        }
        Ok(engine)
    }

    pub(in crate::study) fn locked(&self) -> MutexGuard<'_, EngineCache> {
        // A panic leaves nothing half done here: an engine is out of its place while it is worked on.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
