//! Measurements of one trial, as tell and correct take them.

use super::{TrialTarget, given};
use crate::BadInput;
use crate::common::answer::{Answer, Quiet};
use crate::common::input;
use crate::pipe::raw;
use anyhow::Result;
use rpol::Spec;
use rpol::study::Reported;
use std::path::Path;

/// A trial and what was measured.
#[derive(clap::Args)]
pub(crate) struct Measured {
    #[command(flatten)]
    pub(super) trial: TrialTarget,
    /// What was measured: name=0.5, or name=0.5+-0.02 with its standard error
    #[arg(value_name = "METRIC=VALUE", required_unless_present = "json")]
    metrics: Vec<String>,
    /// The same as JSON, such as {"cost": [0.5, 0.02], "p99_ms": 240}; - reads it from stdin
    #[arg(long, value_name = "JSON", conflicts_with = "metrics", allow_hyphen_values = true)]
    json: Option<String>,
    #[command(flatten)]
    quiet: Quiet,
}

impl Measured {
    /// Who gives JSON gets JSON.
    pub(super) fn answer(&self) -> Answer {
        Answer::new(self.json.is_some(), self.quiet)
    }

    pub(super) fn read(&self, spec: &Spec) -> Result<Vec<(String, Reported)>> {
        let text = match self.json.as_deref() {
            None => return given::metrics(&self.metrics, &spec.metrics()),
            Some("-") => input::text(Path::new("-"))?,
            Some(text) => text.into(),
        };
        Ok(raw::metrics(&raw::legible(&text)).map_err(BadInput::from)?)
    }
}
