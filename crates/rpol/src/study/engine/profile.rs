//! Where the time of an ask goes.

use std::time::Duration;

/// Where the time of an ask went, and how large its work was.
///
/// It is measured, not decided: nothing of it reaches the log or a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct AskProfile {
    /// Watching for a change of the system, and fitting hyper-parameters where that was due.
    pub refit: Duration,
    /// Bringing factors and pools to what was told.
    pub update: Duration,
    /// Means, deviations and ranks of all candidates.
    pub score: Duration,
    /// Local searches from the best of them.
    pub polish: Duration,
    /// Everything else: bands, the forecast, the books, the log.
    pub rest: Duration,
    /// Points around which the local searches expanded the beliefs.
    pub expansions: u64,
    /// Distinct points in the largest factor.
    pub observations: usize,
    /// Factors that are kept: outputs that agree share one.
    pub factors: usize,
    /// Points of the pool.
    pub candidates: usize,
    /// Whether hyper-parameters were fitted.
    pub refitted: bool,
    /// Whether the whole space was searched; otherwise the best of the settings played last was played again.
    pub searched: bool,
}

impl AskProfile {
    /// The whole ask.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.refit + self.update + self.score + self.polish + self.rest
    }

    /// With what is left of `total` as the rest.
    pub(in crate::study) fn of(self, total: Duration) -> Self {
        Self { rest: total.saturating_sub(self.total()), ..self }
    }
}
