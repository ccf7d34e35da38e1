//! What SQLite reports, in our words.

use super::holder;
use crate::error::Error;
use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHORT_READ;
use std::path::Path;

/// A store that cannot be used as it is.
pub(super) fn unusable(path: &Path, problem: impl Into<String>) -> Error {
    Error::Storage { place: path.display().to_string(), problem: problem.into() }
}

/// A store that does not hold what was written.
pub(super) fn damaged(path: &Path, problem: impl Into<String>) -> Error {
    Error::Damaged { place: path.display().to_string(), problem: problem.into() }
}

/// What an error of SQLite means. Our statements are right, so one that a table does not understand, or a value of
/// another type than was written, is damage.
pub(super) fn explained(path: &Path, error: &rusqlite::Error) -> Error {
    let advice = match error.sqlite_error() {
        Some(cause) if cause.extended_code == SQLITE_IOERR_SHORT_READ => None,
        Some(cause) => advice(cause.code),
        None => None,
    };
    let holder = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy) => holder::writer(path),
        _ => None,
    };
    match advice {
        Some(advice) if holder.is_some() => {
            let holder = holder.unwrap_or_default();
            unusable(path, format!("{holder}: {advice} ({error})"))
        }
        Some(advice) => unusable(path, format!("{advice} ({error})")),
        None => damaged(path, error.to_string()),
    }
}

fn advice(code: ErrorCode) -> Option<&'static str> {
    Some(match code {
        ErrorCode::DiskFull => "the disk is full, nothing was written: make room",
        ErrorCode::ReadOnly => {
            "it is read-only, nothing was written: make the file and its folder writable, or work on a copy"
        }
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            "it cannot be opened: check the permissions of the file and its folder"
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            "another process has not let go of it for too long: end that process, or try again"
        }
        ErrorCode::FileLockingProtocolFailed => {
            "its locks do not work: keep it on a local disk, not on a network"
        }
        ErrorCode::SystemIoFailure => "reading or writing failed: check the disk",
        ErrorCode::OutOfMemory => "there is not enough memory",
        _ => return None,
    })
}
