//! How a study is played by `rpol run`.
//!
//! The table is part of the definition, so that one file and one schema describe everything. It is
//! not part of the study: comparing two definitions leaves it out.

use crate::error::{Error, Result};
use crate::name;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How `rpol run` plays a study. It is no part of what the study *is*: the same study resumes with more workers,
/// another timeout or a mended command.
///
/// ```
/// use rpol::study::{Spec, WhenSpent};
/// let spec = Spec::from_toml(r#"
///     name = "cache"
///     objective = "minimize cost"
///     [params]
///     ttl_s = { type = "float", low = 1, high = 3600 }
///     [run]
///     command = ["./bench", "--ttl", "{ttl_s}"]
///     timeout = "2m"
/// "#).unwrap();
/// let run = spec.run.unwrap();
/// assert_eq!(run.timeout.unwrap().duration().as_secs(), 120);
/// assert_eq!((run.workers, run.when_spent), (1, WhenSpent::Warn));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Program and arguments, each an element; `{name}` becomes the value of that parameter, `{{` and `}}` are braces.
    /// No shell. It runs in the folder of the study's file.
    pub command: Vec<String>,
    /// How a metric is read from the output where it is not in the last JSON object there: a regular expression
    /// with one group, of which the last match counts.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub metrics: IndexMap<String, String>,
    /// What an exit code other than 0 means: `{ 99 = "measured" }` for a command that ends with 99 where a limit was
    /// broken, as k6 does. Every other one is a failed trial.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub exit_codes: IndexMap<String, ExitMeaning>,
    /// How many trials run at once.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub workers: u32,
    /// What one try of the command may take: seconds, or a text such as `"90s"`, `"5m"`, `"1h"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
    /// How often a failed command is tried again before its trial fails.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// A command before the first trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// A command after the last trial, however the run ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teardown: Vec<String>,
    /// Trials the study is to have in all. Left out: its horizon, else 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// No new trial after this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Span>,
    /// No new trial once the best feasible one has stood for this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
    /// The run ends after this number of failed trials in a row.
    #[serde(default = "twenty", skip_serializing_if = "is_twenty")]
    pub max_failures: u32,
    /// What happens when the budget of a constraint is spent.
    #[serde(default, skip_serializing_if = "WhenSpent::is_default")]
    pub when_spent: WhenSpent,
    /// How long a worker may be silent before its trial is given to another.
    #[serde(default = "minute", skip_serializing_if = "is_minute")]
    pub lease: Span,
    /// A page about the study, written when the run ends: `"report.html"`, below the folder of the study's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Where the study is kept, such as `"sqlite:///rpol.db"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<String>,
}

/// What a command means by the code it ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExitMeaning {
    /// It has measured: its metrics count as those of a command that ended with 0.
    Measured,
    /// The trial failed.
    Failed,
}

/// What happens when the budget of a constraint is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenSpent {
    /// The run says so and goes on.
    #[default]
    Warn,
    /// The baseline is run once more, so that it is what stays in place, and the run ends.
    Baseline,
    /// The run ends.
    Stop,
}

/// A length of time: seconds, or a text such as `"90s"`, `"5m"`, `"1h"`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "f64")]
pub struct Span(f64);

/// As people write it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    Seconds(f64),
    Text(String),
}

impl Span {
    /// Longest span: a hundred years.
    const MOST: f64 = 100.0 * 365.25 * 86_400.0;

    /// Checks a number of seconds: above 0 and not absurd.
    pub fn seconds(seconds: f64) -> Result<Self> {
        if seconds.is_finite() && seconds > 0.0 && seconds <= Self::MOST {
            return Ok(Self(seconds));
        }
        let problem = format!("{seconds} is no length of time: give seconds above 0, or \"5m\"");
        Err(Error::spec("time", problem))
    }

    /// The same for the standard library.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0)
    }
}

impl std::str::FromStr for Span {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let end = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let factor = match unit {
            "" | "s" => Some(1.0),
            "ms" => Some(1e-3),
            "m" | "min" => Some(60.0),
            "h" => Some(3600.0),
            "d" => Some(86_400.0),
            _ => None,
        };
        let read = number.trim().parse::<f64>().ok().zip(factor);
        let problem = || format!("{text:?} is no length of time: write \"90s\", \"5m\" or \"1h\"");
        let (number, factor) = read.ok_or_else(|| Error::spec("time", problem()))?;
        Self::seconds(number * factor)
    }
}

impl TryFrom<Written> for Span {
    type Error = String;

    fn try_from(written: Written) -> std::result::Result<Self, String> {
        let span = match written {
            Written::Seconds(seconds) => Self::seconds(seconds),
            Written::Text(text) => text.parse(),
        };
        span.map_err(|error| match error {
            Error::InvalidSpec { problem, .. } => problem,
            other => other.to_string(),
        })
    }
}

impl From<Span> for f64 {
    fn from(span: Span) -> f64 {
        span.0
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

impl WhenSpent {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Run {
    /// Most trials at once.
    const MOST_WORKERS: u32 = 256;

    /// Refuses what cannot be run, whatever the machine: `known` are the study's metrics.
    pub(in crate::study) fn validate(&self, known: &[&str], has_baseline: bool) -> Result<()> {
        if self.command.first().is_none_or(|program| program.is_empty()) {
            let problem = "no program: give a list, such as [\"./bench\", \"--ttl\", \"{ttl_s}\"]";
            return Err(Error::spec("run.command", problem));
        }
        if !(1..=Self::MOST_WORKERS).contains(&self.workers) {
            let problem = format!("{} workers: give 1 to {}", self.workers, Self::MOST_WORKERS);
            return Err(Error::spec("run.workers", problem));
        }
        for (field, count) in [("rounds", self.rounds), ("patience", self.patience)] {
            if count == Some(0) {
                let problem = "0 trials leave nothing to do: give at least 1";
                return Err(Error::spec(format!("run.{field}"), problem));
            }
        }
        if self.max_failures == 0 {
            return Err(Error::spec("run.max_failures", "0 ends every run: give at least 1"));
        }
        if let Some(code) = self.exit_codes.keys().find(|code| code.parse::<u8>().is_err()) {
            let problem = "is no exit code: give a number from 0 to 255";
            return Err(Error::spec(name::path("run.exit_codes", code), problem));
        }
        if let Some(metric) = self.metrics.keys().find(|metric| !known.contains(&metric.as_str())) {
            let problem = format!("is not a metric of this study: those are {}", known.join(", "));
            return Err(Error::spec(name::path("run.metrics", metric), problem));
        }
        if self.when_spent == WhenSpent::Baseline && !has_baseline {
            let problem = "\"baseline\" needs one: give [baseline] with its params";
            return Err(Error::spec("run.when_spent", problem));
        }
        Ok(())
    }
}

fn one() -> u32 {
    1
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn twenty() -> u32 {
    20
}

fn is_twenty(count: &u32) -> bool {
    *count == 20
}

fn minute() -> Span {
    Span(60.0)
}

fn is_minute(span: &Span) -> bool {
    *span == minute()
}
