//! A study's file as it comes together.

use crate::common::study_file;
use rpol::Constraint;
use rpol::Spec;
use std::path::Path;

/// What is known of the study so far; every part has been looked at on its own.
#[derive(Default)]
pub(super) struct Draft {
    objective: Option<String>,
    /// Name and right-hand side.
    params: Vec<(String, String)>,
    limits: Vec<String>,
    /// Name and value.
    baseline: Vec<(String, String)>,
    command: Vec<String>,
}

type Taken = Result<(), String>;

impl Draft {
    /// Whether there is all that a study needs.
    pub(super) fn is_complete(&self) -> bool {
        self.objective.is_some() && !self.params.is_empty()
    }

    pub(super) fn has_objective(&self) -> bool {
        self.objective.is_some()
    }

    pub(super) fn has_params(&self) -> bool {
        !self.params.is_empty()
    }

    pub(super) fn has_limits(&self) -> bool {
        !self.limits.is_empty()
    }

    pub(super) fn has_baseline(&self) -> bool {
        !self.baseline.is_empty()
    }

    pub(super) fn has_command(&self) -> bool {
        !self.command.is_empty()
    }

    pub(super) fn take_objective(&mut self, text: &str) -> Taken {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [direction @ ("minimize" | "maximize"), metric @ ..] = &words[..] else {
            return Err(format!("{text:?}: write minimize METRIC or maximize METRIC"));
        };
        if metric.is_empty() {
            return Err(format!("{text:?}: name the metric, such as {direction} cost"));
        }
        self.objective = Some(format!("{direction} {}", metric.join(" ")));
        Ok(())
    }

    pub(super) fn take_param(&mut self, text: &str) -> Taken {
        let form = "write name=int:2:16, name=float:0.1:10:log or name=choice:a,b";
        let refused = || format!("{text:?}: {form}");
        let (name, kind) = text.split_once('=').ok_or_else(refused)?;
        let parts: Vec<&str> = kind.split(':').map(str::trim).collect();
        let table = match &parts[..] {
            ["choice", choices] => {
                let choices: Vec<String> = choices.split(',').map(|c| value(c.trim())).collect();
                format!("{{ type = \"categorical\", choices = [{}] }}", choices.join(", "))
            }
            [kind @ ("int" | "float"), low, high, log @ ..] if matches!(log, [] | ["log"]) => {
                let numbers = [low, high].iter().all(|n| n.parse::<f64>().is_ok());
                let log = if log.is_empty() { "" } else { ", log = true" };
                match numbers {
                    true => format!("{{ type = \"{kind}\", low = {low}, high = {high}{log} }}"),
                    false => return Err(refused()),
                }
            }
            _ => return Err(refused()),
        };
        let name = name.trim();
        if name.is_empty() || self.params.iter().any(|(other, _)| other == name) {
            return Err(format!("{text:?}: every parameter needs a name of its own"));
        }
        self.params.push((name.into(), table));
        Ok(())
    }

    pub(super) fn take_limit(&mut self, text: &str) -> Taken {
        let limit: Constraint = text.trim().parse().map_err(|e: rpol::Error| e.to_string())?;
        self.limits.push(limit.to_string());
        Ok(())
    }

    pub(super) fn take_baseline(&mut self, text: &str) -> Taken {
        for pair in text.split([',', ' ']).filter(|pair| !pair.is_empty()) {
            let pair = pair.split_once('=').ok_or(format!("{pair:?}: write name=value"))?;
            self.baseline.push((pair.0.trim().into(), value(pair.1.trim())));
        }
        Ok(())
    }

    /// A line as one would type it; where it needs a shell, it gets one.
    pub(super) fn take_command(&mut self, text: &str) -> Taken {
        let needs_shell = text.contains(['|', '>', '<', ';', '&', '$', '`', '"', '\'', '*']);
        self.command = match needs_shell {
            true => vec!["sh".into(), "-c".into(), text.trim().into()],
            false => text.split_whitespace().map(String::from).collect(),
        };
        Ok(())
    }

    /// The file's text, once a study reads it without complaint.
    pub(super) fn checked(&self, path: &Path) -> Result<String, String> {
        let text = self.text();
        Spec::from_file_text(&text, &study_file::default_name(path)).map_err(|e| e.to_string())?;
        Ok(text)
    }

    fn text(&self) -> String {
        let objective = quoted(self.objective.as_deref().unwrap_or_default());
        let limits: Vec<String> = self.limits.iter().map(|limit| quoted(limit)).collect();
        let params: String =
            self.params.iter().map(|(name, table)| format!("{} = {table}\n", key(name))).collect();
        format!(
            "# A study for rpol. `rpol check` says what this file means, `rpol schema` lists every field.\n\n\
             # The metric to improve.\n\
             objective = {objective}\n\
             # Limits to keep. A budget bounds the sum of all that goes beyond one:\n\
             # {{ expression = \"p99_ms <= 250\", budget = 1000 }}\n\
             constraints = [{}]\n\
             # How many trials there will be.\n\
             horizon = 60\n\
             # At most about this share of the trials goes over a limit.\n\
             # risk = 0.1\n\n\
             # What may be set, and within which range; log = true compares by ratios.\n\
             [params]\n{params}\n{}\n{}",
            limits.join(", "),
            self.baseline_text(),
            self.command_text()
        )
    }

    fn baseline_text(&self) -> String {
        let pairs = self.baseline.iter().map(|(name, value)| format!("{} = {value}", key(name)));
        let pairs: Vec<String> = pairs.collect();
        let about = "# What runs today and keeps the limits: the first trial, and what the others are compared to.\n";
        match pairs.is_empty() {
            true => format!("{about}# [baseline]\n# params = {{ name = value }}\n"),
            false => format!("{about}[baseline]\nparams = {{ {} }}\n", pairs.join(", ")),
        }
    }

    fn command_text(&self) -> String {
        let about = "# What measures a setting: {name} becomes the parameter's value. It prints its metrics as JSON,\n\
                     # such as {\"cost\": 11.2, \"p99_ms\": 58.4}. No shell comes between; it runs in this folder.\n";
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        match words.is_empty() {
            true => {
                format!("{about}# [run]\n# command = [\"./bench\", \"--name\", \"{{name}}\"]\n")
            }
            false => {
                format!("{about}[run]\ncommand = [{}]\ntimeout = \"10m\"\n", words.join(", "))
            }
        }
    }
}

/// A value as TOML: a number or a truth where it is one, else a text.
fn value(text: &str) -> String {
    match (text.parse::<i64>(), text.parse::<f64>()) {
        _ if text == "true" || text == "false" => text.into(),
        (Ok(whole), _) => whole.to_string(),
        (_, Ok(number)) if number.is_finite() => format!("{number:?}"),
        _ => quoted(text),
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(bare) { name.into() } else { quoted(name) }
}

/// A text of TOML is one of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
