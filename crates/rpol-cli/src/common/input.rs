//! What a command reads whole: a file, or stdin.

use crate::BadInput;
use anyhow::Result;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The text of a file; `-` is stdin.
pub(crate) fn text(path: &Path) -> Result<String> {
    legible(path, bytes(path))
}

/// Longest line of a table or a log, in bytes.
const LONGEST: u64 = 64 << 20;

/// The same where the file is written by programs: nothing is read beyond a line that is too long.
pub(crate) fn text_of_lines(path: &Path) -> Result<String> {
    legible(path, bytes_of_lines(path))
}

fn legible(path: &Path, read: io::Result<Vec<u8>>) -> Result<String> {
    let refused = |problem: String| BadInput(format!("{}: {problem}", shown(path)));
    let bytes = read.map_err(|error| refused(format!("cannot be read: {error}")))?;
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

fn bytes_of_lines(path: &Path) -> io::Result<Vec<u8>> {
    let mut input: Box<dyn BufRead> = match is_stdin(path) {
        true => Box::new(io::stdin().lock()),
        false => Box::new(io::BufReader::new(std::fs::File::open(path)?)),
    };
    let (mut bytes, mut line) = (Vec::new(), 1);
    while input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? > 0 {
        let is_whole = bytes.ends_with(b"\n") || input.fill_buf()?.is_empty();
        if !is_whole {
            let problem = format!("line {line} is longer than {} MiB", LONGEST >> 20);
            return Err(io::Error::other(problem));
        }
        line += 1;
    }
    Ok(bytes)
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
}
