//! The one error type: every variant names the field, the value and the remedy.

/// What can go wrong. A failed call leaves the state before it untouched.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that must be finite is NaN or infinite.
    #[error("{field} is {value}: a finite number is needed")]
    NotFinite {
        /// Which number.
        field: String,
        /// What it was.
        value: f64,
    },
    /// A value of another type stands where one type is needed.
    #[error("{field} is {value}: {expected} is needed")]
    WrongType {
        /// Which value.
        field: String,
        /// What it was, as given.
        value: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A definition (study, kernel, strategy, ...) is not usable.
    #[error("{path}: {problem}")]
    InvalidSpec {
        /// Path of the field in the definition, such as `params.x1.low`.
        path: String,
        /// What is wrong with which value, and what to do.
        problem: String,
    },
    /// A value lies outside its declared range.
    #[error("{field} is {value}: it must lie in [{low}, {high}]")]
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
    #[error("{field} is {value}: use one of {known}")]
    UnknownName {
        /// Which name or choice.
        field: String,
        /// What it was, quoted.
        value: String,
        /// The known ones, quoted, one after another.
        known: String,
    },
    /// A value that must be given is not.
    #[error("{field} is missing: give all of {known}")]
    Missing {
        /// Which value.
        field: String,
        /// The names needed, quoted, one after another.
        known: String,
    },
    /// A point or a list has the wrong number of entries.
    #[error("{field} has {found} entries: {expected} are needed")]
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
            Error::WrongLength { .. } => "WrongLength",
            Error::Singular { .. } => "Singular",
        }
    }

    pub(crate) fn spec(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::InvalidSpec { path: path.into(), problem: problem.into() }
    }
}
