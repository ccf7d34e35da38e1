//! What a command reads whole: a file, or stdin.

use crate::BadInput;
use anyhow::Result;
use std::io::{self, Read};
use std::path::Path;

/// The text of a file; `-` is stdin.
pub(crate) fn text(path: &Path) -> Result<String> {
    let refused = |problem: String| BadInput(format!("{}: {problem}", shown(path)));
    let bytes = bytes(path).map_err(|error| refused(format!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        refused(format!("line {line} is not UTF-8: save the file as UTF-8"))
    })?;
    // Spreadsheets and editors of Windows put a mark in front of UTF-8.
    Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}

/// The path as messages have it.
pub(crate) fn shown(path: &Path) -> String {
    if is_stdin(path) { "stdin".into() } else { format!("{path:?}").trim_matches('"').into() }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
}
