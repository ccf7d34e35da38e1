//! What goes to stdout.

use anyhow::Result;
use serde::Serialize;
use std::io::Write;

/// Data as it is.
pub(crate) fn text(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// One line of JSON. Straight to text: a tree in between would sort the user's parameters.
pub(crate) fn json(value: &impl Serialize) -> Result<()> {
    text(&format!("{}\n", serde_json::to_string(value)?))
}
