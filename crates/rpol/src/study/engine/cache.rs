//! Engines that were built already.

use super::Engine;
use super::profile::Spent;
use std::sync::Arc;

/// Building an engine replays the log, so the last one is kept.
#[derive(Debug, Clone, Default)]
pub(in crate::study) struct EngineCache {
    /// As the last ask left it.
    pub(in crate::study) engine: Option<Arc<Engine>>,
    /// The same with all that was told since, and the length of the log then.
    pub(in crate::study) informed: Option<(usize, Arc<Engine>)>,
    /// Where the time of the last ask went.
    pub(in crate::study) spent: Option<Spent>,
}
