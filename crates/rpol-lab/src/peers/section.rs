//! The part of a document that is written by the program.

use anyhow::{Context, Result};

const BEGIN: &str = "<!-- written by `cargo xtask bench peers --write`: begin -->\n";
const END: &str = "<!-- end -->\n";

/// The document with what stands between the marks replaced.
///
/// ```
/// let begin = "<!-- written by `cargo xtask bench peers --write`: begin -->\n";
/// let text = format!("a\n{begin}old\n<!-- end -->\nb\n");
/// let renewed = rpol_lab::peers::renewed(&text, "new\n").unwrap();
/// assert_eq!(renewed, text.replace("old", "new"));
/// assert!(rpol_lab::peers::renewed("no marks", "new").is_err());
/// ```
///
/// # Errors
///
/// Where a mark is missing.
pub fn renewed(document: &str, written: &str) -> Result<String> {
    let missing = |mark: &str| format!("the line `{}` is missing: put it back", mark.trim_end());
    let (before, rest) = document.split_once(BEGIN).with_context(|| missing(BEGIN))?;
    let (_, after) = rest.split_once(END).with_context(|| missing(END))?;
    Ok(format!("{before}{BEGIN}{written}{END}{after}"))
}
