//! What goes to stdout and stderr: the only place that writes there.
//!
//! A result that cannot be written is an error. Words beside it, on stderr, are not worth ending for: the disk of a log
//! may be full, or nobody may be left to read.

use anyhow::Result;
use serde::Serialize;
use std::fmt::Arguments;
use std::io::Write;

/// Says something beside the result, as a line on stderr.
macro_rules! say {
    ($($words:tt)*) => {{
        let _: bool = $crate::common::output::talk(format_args!($($words)*));
    }};
}
pub(crate) use say;

/// Says a line on stderr; whether it could be written.
pub(crate) fn talk(words: Arguments<'_>) -> bool {
    // In one piece, as others may write there too.
    let line = format!("{words}\n");
    anstream::stderr().lock().write_all(line.as_bytes()).is_ok()
}

/// Begins a line on stderr that the user ends.
pub(crate) fn ask(question: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(question.as_bytes()).and_then(|()| stderr.flush());
}

/// Data as it is.
pub(crate) fn text(text: &str) -> Result<()> {
    bytes(text.as_bytes())
}

/// Data that need not be text.
pub(crate) fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// One line of JSON. Straight to text: a tree in between would sort the user's parameters.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    text(&format!("{}\n", serde_json::to_string(value)?))
}
