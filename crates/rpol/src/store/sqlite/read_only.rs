//! Stores that can only be read: on a read-only disk, or somebody else's.
//!
//! SQLite wants to write beside a database even to read it, for its write-ahead log and for its locks. Where that cannot
//! be, and the log is empty, the database is what it is, and `immutable` says so; everything read is checked against its
//! checksums as always. Where the log holds something it has to be read too, which works while a process
//! that may write has the store open.

use super::failure::{explained, unusable};
use super::open::{be_careful, beside};
use crate::error::Result;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Whether the permissions of a file or of its folder say that nothing is to be written there.
pub(super) fn is_said_to_be(path: &Path) -> bool {
    let read_only =
        |path: &Path| fs::metadata(path).is_ok_and(|found| found.permissions().readonly());
    read_only(path) || path.parent().is_some_and(read_only)
}

/// Whether it may be for that reason that a database could not be opened to be written.
pub(super) fn is_the_cause(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
}

/// A connection that only reads.
pub(super) fn connect(path: &Path) -> Result<Connection> {
    let is_whole = fs::metadata(beside(path, "-wal")).map_or(true, |log| log.len() == 0);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connected = Connection::open_with_flags(uri(path, is_whole), flags);
    let connected = connected.and_then(|mut connection| {
        be_careful(&mut connection)?;
        // Only now does it look at the file.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    });
    connected.map_err(|error| match is_whole || !is_the_cause(&error) {
        true => explained(path, &error),
        false => {
            let problem = "it can only be read, and some of it is still in its log (-wal): copy both to a folder that can be written, or make this one writable";
            unusable(path, problem)
        }
    })
}

/// The address of a file as SQLite reads it.
fn uri(path: &Path, immutable: bool) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                uri.push(char::from(*byte));
            }
            // Writing to a text cannot fail.
            byte => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri + if immutable { "?immutable=1" } else { "" }
}
