//! The minds of a study: made when somebody looks, and kept.

use super::mind::Mind;
use super::spent::Spent;
use super::study::Study;
use crate::error::Result;
use std::sync::{Arc, MutexGuard, PoisonError};

/// Minds are dear: what was made is kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    /// As the last ask left it.
    pub(super) mind: Option<Arc<Mind>>,
    /// The same with all that was told since, and the length of the log then.
    informed: Option<(usize, Arc<Mind>)>,
    /// Where the time of the last ask went.
    pub(super) spent: Option<Spent>,
}

impl Study {
    /// What is believed, in step with the log.
    pub(super) fn mind(&self) -> Result<Arc<Mind>> {
        self.remembered(&mut self.locked())
    }

    /// What is believed now that more was told since the last ask: for those who look, not for decisions.
    pub(super) fn informed(&self) -> Result<Arc<Mind>> {
        let mut kept = self.locked();
        if let Some((_, mind)) = kept.informed.as_ref().filter(|(at, _)| *at == self.length()) {
            return Ok(mind.clone());
        }
        let mind = Arc::new(self.remembered(&mut kept)?.informed()?);
        kept.informed = Some((self.length(), mind.clone()));
        Ok(mind)
    }

    fn remembered(&self, kept: &mut Kept) -> Result<Arc<Mind>> {
        let mind = self.in_step(kept.mind.take())?;
        kept.mind = Some(mind.clone());
        Ok(mind)
    }

    pub(super) fn in_step(&self, mind: Option<Arc<Mind>>) -> Result<Arc<Mind>> {
        let mut mind = match mind {
            Some(mind) => mind,
            None => self.first_mind()?,
        };
        if mind.position() < self.length() {
            let new = &self.log[mind.position() - self.forgotten()..];
            Arc::make_mut(&mut mind).follow_log(new)?;
        }
        Ok(mind)
    }

    pub(super) fn locked(&self) -> MutexGuard<'_, Kept> {
        // A panic leaves nothing half done here: a mind is out of its place while it is worked on.
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
