//! The settings file, and the study that follows from it.

use super::formula::{self, Constants};
use super::request::Request;
use crate::experiment;
use crate::problem::Environment;
use anyhow::{Context, Result, ensure};
use rpol::study::Spec;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The settings of both presets as they are written, with the reason of every number.
pub const SETTINGS: &str = include_str!("settings.toml");

/// The settings file, read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the command line assumes.
    pub defaults: Defaults,
    constants: toml::Table,
    presets: HashMap<String, Value>,
    widths: HashMap<String, Value>,
    algorithms: HashMap<String, Algorithm>,
    experiments: HashMap<String, Chapter>,
    captions: HashMap<String, String>,
}

/// What the command line assumes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Defaults {
    /// $T$.
    pub rounds: usize,
    /// Seeds from 0.
    pub seeds: u64,
    /// The noise's variance.
    pub noise_var: f64,
}

/// One algorithm, under the printed preset.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Algorithm {
    label: String,
    by: Origin,
    policy: Value,
    strategy: Value,
    width: String,
}

/// Who brings an algorithm into the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The paper compares it.
    Paper,
    /// We added it.
    Ours,
}

/// One experiment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chapter {
    title: String,
    about: String,
    algorithms: Vec<String>,
    constants: String,
}

impl Settings {
    /// Reads the file that is part of the program.
    pub fn load() -> Result<Self> {
        toml::from_str(SETTINGS).context("the settings of the paper's experiments")
    }

    fn chapter(&self, experiment: &str) -> Result<&Chapter> {
        self.experiments.get(experiment).with_context(|| format!("no experiment `{experiment}`"))
    }

    fn algorithm(&self, algorithm: &str) -> Result<&Algorithm> {
        self.algorithms.get(algorithm).with_context(|| format!("no algorithm `{algorithm}`"))
    }

    /// Heading of an experiment.
    pub fn title(&self, experiment: &str) -> Result<&str> {
        Ok(&self.chapter(experiment)?.title)
    }

    /// The library's names of the algorithms an experiment compares.
    pub fn algorithms(&self, experiment: &str) -> Result<&[String]> {
        Ok(&self.chapter(experiment)?.algorithms)
    }

    /// The name an algorithm has in figures.
    pub fn label(&self, algorithm: &str) -> Result<&str> {
        Ok(&self.algorithm(algorithm)?.label)
    }

    /// Who brings it into the comparison.
    pub fn origin(&self, algorithm: &str) -> Result<Origin> {
        Ok(self.algorithm(algorithm)?.by)
    }

    /// The study of one run.
    pub fn spec(
        &self,
        request: &Request,
        environment: &Environment,
        algorithm: &str,
        seed: u64,
    ) -> Result<Spec> {
        let base = experiment::spec(environment.problem_at(1), request.rounds, seed)?;
        let mut spec = serde_json::to_value(base)?;
        let entry = self.algorithm(algorithm)?;
        spec["name"] = json!(format!("{}-{algorithm}", environment.name));
        spec["algorithm"] = json!(algorithm);
        let preset = request.preset_name();
        merge(&mut spec, self.presets.get(preset).with_context(|| format!("no preset {preset}"))?);
        if preset == "printed" {
            let width = self.widths.get(&entry.width);
            spec["policy"] = entry.policy.clone();
            spec["strategy"] = entry.strategy.clone();
            spec["confidence"] =
                json!({"width": width.context("no such width")?, "gain": "realised"});
        }
        fill(&mut spec, &self.constants(request)?)?;
        Ok(Spec::from_json(&spec.to_string())?)
    }

    /// What a figure's caption says of the settings.
    pub fn caption(&self, request: &Request, experiment: &str) -> Result<String> {
        let chapter = self.chapter(experiment)?;
        let text = self.captions.get(request.preset_name()).context("no such caption")?;
        let text = text.replace("{constants}", &chapter.constants);
        Ok(format!("{}; {}", chapter.about, written(&text, &self.constants(request)?)?))
    }

    /// $T$, $S$ and the constants of the file, each of which may use those above it.
    fn constants(&self, request: &Request) -> Result<Constants> {
        let given = [("T", request.rounds as f64), ("S", request.noise.std())];
        let mut known: Constants = given.map(|(name, value)| (name.to_string(), value)).into();
        for (name, value) in &self.constants {
            let mut value = serde_json::to_value(value)?;
            fill(&mut value, &known)?;
            let number = value.as_f64().with_context(|| format!("`{name}` is not a number"))?;
            ensure!(known.insert(name.clone(), number).is_none(), "`{name}` stands there twice");
        }
        Ok(known)
    }
}

fn merge(into: &mut Value, from: &Value) {
    for (key, value) in from.as_object().into_iter().flatten() {
        into[key] = value.clone();
    }
}

/// Puts numbers in the place of formulas.
fn fill(value: &mut Value, constants: &Constants) -> Result<()> {
    match value {
        Value::String(text) => {
            if let Some(text) = text.strip_prefix('=') {
                *value = number(formula::value(text, constants)?);
            }
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill(item, constants)),
        Value::Object(fields) => fields.values_mut().try_for_each(|field| fill(field, constants)),
        _ => Ok(()),
    }
}

/// Rounds are whole numbers to a study, and 100.0 is not one in JSON.
fn number(x: f64) -> Value {
    if x.fract() == 0.0 && (0.0..1e15).contains(&x) { json!(x as u64) } else { json!(x) }
}

/// The text with the formulas in its braces worked out to four digits.
fn written(text: &str, constants: &Constants) -> Result<String> {
    let mut out = String::new();
    for (i, part) in text.split(['{', '}']).enumerate() {
        if i % 2 == 0 {
            out += part;
        } else {
            out += &super::report::digits(formula::value(part, constants)?);
        }
    }
    Ok(out)
}
