//! `rpol schema`: what a definition may say.

use crate::common::output;
use anyhow::Result;

pub(crate) fn run() -> Result<()> {
    let text = serde_json::to_string_pretty(&rpol::Spec::schema())?;
    output::text(&(text + "\n"))
}
