//! What a command reads whole: a file, or stdin.

use crate::BadInput;
use anyhow::Result;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Longest line that is read, in bytes: the log of a long session of `rpol pipe` is one line.
const LONGEST_LINE: u64 = 64 << 20;
/// Most that is read in all.
const MOST: u64 = 1 << 30;

/// The text of a file; `-` is stdin.
pub(crate) fn text(path: &Path) -> Result<String> {
    let refused = |problem: String| BadInput(format!("{}: {problem}", shown(path)));
    let bytes = bytes(path).map_err(refused)?;
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

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let unread = |error: io::Error| format!("cannot be read: {error}");
    let read = match is_stdin(path) {
        true => bounded(io::stdin().lock()),
        false => bounded(BufReader::new(File::open(path).map_err(unread)?)),
    };
    read.map_err(unread)?
}

/// All that is to be read, line by line; else what is too long.
fn bounded(mut input: impl BufRead) -> io::Result<Result<Vec<u8>, String>> {
    let (mut bytes, mut line) = (Vec::new(), 0);
    loop {
        line += 1;
        let read = input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)? as u64;
        if read == 0 {
            return Ok(Ok(bytes));
        }
        if read > LONGEST_LINE {
            let most = LONGEST_LINE >> 20;
            return Ok(Err(format!(
                "line {line} is longer than {most} MiB: break it into several"
            )));
        }
        if bytes.len() as u64 > MOST {
            let most = MOST >> 20;
            return Ok(Err(format!(
                "up to line {line} it has more than {most} MiB: give it in parts"
            )));
        }
    }
}
