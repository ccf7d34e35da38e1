//! The one error type: every variant names the field, the value and the remedy, and shows of long values their beginning.

use crate::words::{brief_field, brief_value, excerpt, message};

/// What can go wrong. A failed call leaves the state before it untouched.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that must be finite is NaN or infinite.
    #[error("{} is {value}: a finite number is needed", brief_field(.field))]
    NotFinite {
        /// Which number.
        field: String,
        /// What it was.
        value: f64,
    },
    /// A value of another type stands where one type is needed.
    #[error("{} is {}: {expected} is needed", brief_field(.field), brief_value(.value))]
    WrongType {
        /// Which value.
        field: String,
        /// What it was, as given.
        value: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A definition (study, kernel, strategy, ...) is not usable.
    #[error("{}: {}", brief_field(.path), message(.problem))]
    InvalidSpec {
        /// Path of the field in the definition, such as `params.x1.low`.
        path: String,
        /// What is wrong with which value, and what to do.
        problem: String,
    },
    /// A value lies outside its declared range.
    #[error("{} is {value}: it must lie in [{low}, {high}]", brief_field(.field))]
    OutOfBounds {
        /// Which value.
        field: String,
        /// What it was.
        value: f64,
        /// Smallest value allowed.
        low: f64,
        /// Largest value allowed.
        high: f64,
    },
    /// A name that is not among the known ones.
    #[error("{} is {}: use one of {}", brief_field(.field), brief_value(.value), message(.known))]
    UnknownName {
        /// Which name or choice.
        field: String,
        /// What it was, quoted.
        value: String,
        /// The known ones, quoted, one after another.
        known: String,
    },
    /// A value that must be given is not.
    #[error("{} is missing: give all of {}", brief_field(.field), message(.known))]
    Missing {
        /// Which value.
        field: String,
        /// The names needed, quoted, one after another.
        known: String,
    },
    /// No trial has this number.
    #[error("there is no trial {number}: this study has {count} so far, numbered from 0")]
    UnknownTrial {
        /// The number asked for.
        number: u64,
        /// How many trials there are.
        count: u64,
    },
    /// A trial belongs to the compacted history, of which only sums are kept.
    #[error("trial {number} is compacted: {remedy}")]
    Compacted {
        /// The trial.
        number: u64,
        /// What can be done instead.
        remedy: &'static str,
    },
    /// A metric of a trial was told before, with another value.
    #[error(
        "{metric} of trial {number} was told as {old} and now as {new}: nothing was overwritten; \
         to replace it, correct it; to take it back, void the trial"
    )]
    AlreadyTold {
        /// The trial.
        number: u64,
        /// The metric.
        metric: String,
        /// The value on record.
        old: f64,
        /// The value that was refused.
        new: f64,
    },
    /// The model believes that no setting is feasible, and the study says to stop then.
    #[error(
        "no setting is believed to be feasible (the least excess is {excess}): \
         relax a constraint, widen the parameters, or let the policy play the least"
    )]
    Infeasible {
        /// The smallest $\max_i\check g_i$ found.
        excess: f64,
    },
    /// A safe policy has no setting it knows to be safe.
    #[error(
        "no setting is known to be safe: give a baseline, or add a trial that kept every constraint"
    )]
    NoSafeStart,
    /// Another writer was faster: read on and decide again.
    #[error("the log has {found} entries where {expected} were expected: read on and try again")]
    Conflict {
        /// The length the writer believed.
        expected: usize,
        /// The length the log has.
        found: usize,
    },
    /// A study of that name has another definition.
    #[error(
        "a study named {:?} exists with another definition ({}): resume it as it is, or choose another name",
        excerpt(.name, 80),
        message(.difference)
    )]
    StudyExists {
        /// The name.
        name: String,
        /// The first field that differs, with both values.
        difference: String,
    },
    /// A log does not begin as it should, or its entries do not follow from each other.
    #[error("entry {position} of the log: {}", message(.problem))]
    InvalidLog {
        /// Which entry, from 0.
        position: usize,
        /// What is wrong.
        problem: String,
    },
    /// A store cannot be opened, read or written.
    #[error("{place}: {}", message(.problem))]
    Storage {
        /// Which store, as a path or an address.
        place: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// What a store holds is damaged: nothing was changed.
    #[error("{place} is damaged: {}", message(.problem))]
    Damaged {
        /// Which store, and where in it.
        place: String,
        /// What does not fit.
        problem: String,
    },
    /// There is no study of that name.
    #[error("there is no study {:?}: {}", excerpt(.name, 80), message(.known))]
    UnknownStudy {
        /// The name.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A point or a list has the wrong number of entries.
    #[error("{} has {found} entries: {expected} are needed", brief_field(.field))]
    WrongLength {
        /// Which list.
        field: String,
        /// How many entries it has.
        found: usize,
        /// How many it must have.
        expected: usize,
    },
    /// A matrix that must be positive definite is not, even with the largest jitter allowed.
    #[error(
        "the covariance of point {index} stays singular with jitter {jitter:e}: \
         raise the noise or drop one of the coinciding points"
    )]
    Singular {
        /// Index of the point whose pivot failed.
        index: usize,
        /// The largest jitter that was tried.
        jitter: f64,
    },
}

/// Result with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The stable, machine-readable name of the variant.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::NotFinite { .. } => "NotFinite",
            Error::WrongType { .. } => "WrongType",
            Error::InvalidSpec { .. } => "InvalidSpec",
            Error::OutOfBounds { .. } => "OutOfBounds",
            Error::UnknownName { .. } => "UnknownName",
            Error::Missing { .. } => "Missing",
            Error::UnknownTrial { .. } => "UnknownTrial",
            Error::Compacted { .. } => "Compacted",
            Error::AlreadyTold { .. } => "AlreadyTold",
            Error::Infeasible { .. } => "Infeasible",
            Error::NoSafeStart => "NoSafeStart",
            Error::Conflict { .. } => "Conflict",
            Error::StudyExists { .. } => "StudyExists",
            Error::InvalidLog { .. } => "InvalidLog",
            Error::Storage { .. } => "Storage",
            Error::Damaged { .. } => "Damaged",
            Error::UnknownStudy { .. } => "UnknownStudy",
            Error::WrongLength { .. } => "WrongLength",
            Error::Singular { .. } => "Singular",
        }
    }

    /// The same inside of a larger definition.
    pub(crate) fn under(self, root: &str) -> Self {
        match self {
            Error::InvalidSpec { path, problem } => Self::spec(format!("{root}.{path}"), problem),
            other => other,
        }
    }

    pub(crate) fn spec(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::InvalidSpec { path: path.into(), problem: problem.into() }
    }
}
