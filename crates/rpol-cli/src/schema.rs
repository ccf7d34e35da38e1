//! `rpol schema`: what a definition may say.

use anyhow::Result;
use std::io::Write;

pub(crate) fn run() -> Result<()> {
    let text = serde_json::to_string_pretty(&rpol::Spec::schema())?;
    crate::pipe::quiet(writeln!(std::io::stdout(), "{text}"))?;
    Ok(())
}
