//! What can go wrong before there is anything to judge.

use crate::problem::RkhsError;

/// Why a verification could not be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// From the study.
    #[error(transparent)]
    Study(#[from] rpol::Error),
    /// From drawing functions.
    #[error(transparent)]
    Function(#[from] RkhsError),
}

/// With the error of this module.
pub type Result<T> = std::result::Result<T, Error>;
