//! Why a run ended.

use crate::common::text::line;

/// Why a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StopReason {
    /// The study has all its trials.
    Rounds(u64),
    /// The study had more trials than so many already.
    Enough {
        /// Trials it was to have.
        rounds: u64,
        /// Trials it has.
        asked: u64,
    },
    /// The time is over.
    Time,
    /// The best feasible trial has stood for so many.
    Patience(u64),
    /// Too many trials failed in a row; the last for this reason.
    Failures(u32, String),
    /// A command that ended well gave no value of a metric that none gave before.
    Lacking(String),
    /// The baseline failed, for this reason.
    Baseline(String),
    /// The budget of this constraint is spent.
    Spent(String),
    /// The model believes that no setting is feasible, and the study says to stop then.
    Infeasible(String),
    /// The store failed, for this reason; where what was measured is instead.
    Lost(String, String),
    /// The user wanted to.
    Interrupted,
}

impl StopReason {
    /// One word, for programs.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Rounds(_) | Self::Enough { .. } => "rounds",
            Self::Time => "time",
            Self::Patience(_) => "patience",
            Self::Failures(..) => "failures",
            Self::Lacking(_) => "metrics",
            Self::Baseline(_) => "baseline",
            Self::Spent(_) => "budget",
            Self::Infeasible(_) => "infeasible",
            Self::Lost(..) => "store",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the run has failed.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Failures(..)
                | Self::Lacking(_)
                | Self::Baseline(_)
                | Self::Infeasible(_)
                | Self::Lost(..)
        )
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rounds(count) => write!(f, "all {count} trials are done"),
            Self::Enough { rounds, asked } => {
                let more = asked + rounds;
                write!(f, "it has {asked} trials already, and {rounds} were wanted in all: ")?;
                write!(f, "--rounds {more} runs {rounds} more")
            }
            Self::Time => f.write_str("the time is over"),
            Self::Patience(count) => write!(f, "{count} trials brought nothing better"),
            Self::Failures(count, reason) => {
                write!(f, "{count} trials failed in a row, the last one as {}", line(reason, 400))
            }
            Self::Lacking(problem) => {
                let remedy =
                    "name it in the study's file as the command prints it, or the other way round";
                write!(f, "{}; no further trial is run: {remedy}", line(problem, 600))
            }
            Self::Baseline(reason) => {
                let why = "nothing else is tried on a system that may be broken";
                let remedy = "mend it, and the same command begins with the baseline again";
                write!(f, "the baseline failed: {}; {why}: {remedy}", line(reason, 400))
            }
            Self::Spent(constraint) => write!(f, "the budget of `{constraint}` is spent"),
            Self::Infeasible(problem) => f.write_str(problem),
            Self::Lost(problem, place) => {
                write!(f, "the store failed: {}; {place}", line(problem, 400))
            }
            Self::Interrupted => f.write_str("interrupted; the same command again continues"),
        }
    }
}
