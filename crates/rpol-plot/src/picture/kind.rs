//! The pictures by name.

use super::data;
use rpol::Study;

/// A picture of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Objective of each trial, and the best so far.
    History,
    /// Cumulative violation against the budgets.
    Violation,
    /// Multipliers over the rounds.
    Penalty,
    /// The models along each parameter.
    Slice,
    /// The models over two parameters.
    Contour,
    /// Every trial across all parameters.
    Parallel,
    /// Delays of results.
    Delay,
    /// When each trial ran.
    Timeline,
}

impl Kind {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 8] = [
        Self::History,
        Self::Violation,
        Self::Penalty,
        Self::Slice,
        Self::Contour,
        Self::Parallel,
        Self::Delay,
        Self::Timeline,
    ];

    /// Its name in commands.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::History => "history",
            Self::Violation => "violation",
            Self::Penalty => "penalty",
            Self::Slice => "slice",
            Self::Contour => "contour",
            Self::Parallel => "parallel",
            Self::Delay => "delay",
            Self::Timeline => "timeline",
        }
    }

    /// The picture; `times` says when each event of the log was written.
    #[must_use]
    pub fn svg(self, study: &Study, times: &[u64]) -> String {
        match self {
            Self::History => super::history(study),
            Self::Violation => super::violation(study),
            Self::Penalty => super::penalty(study),
            Self::Slice => super::slice(study, &[]),
            Self::Contour => super::contour(study, data::two_that_matter(study).as_ref()),
            Self::Parallel => super::parallel(study),
            Self::Delay => super::delay(study),
            Self::Timeline => super::timeline(study, times),
        }
    }
}
