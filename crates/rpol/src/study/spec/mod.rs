//! The definition of a study: one serde struct for every door.

mod complaint;
pub(in crate::study) mod confidence;
pub(in crate::study) mod diff;
pub(in crate::study) mod drift;
pub(in crate::study) mod failure;
pub(crate) mod novel;
pub(in crate::study) mod objective;
pub(in crate::study) mod parse;
pub(in crate::study) mod plan;
pub(in crate::study) mod revision;
pub(in crate::study) mod run;
mod schema;
pub(in crate::study) mod streams;

use crate::confidence::Width;
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::name;
use crate::policy::{Guarded, Policy};
use crate::sobol::Sobol;
use crate::space::{Params, Space};
use crate::strategy::Strategy;
use confidence::Confidence;
use drift::Drift;
use failure::Failure;
use indexmap::IndexMap;
use objective::Objective;
use run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a study is about. Only `name`, `params` and `objective` are needed.
///
/// ```
/// use rpol::study::Spec;
/// let spec = Spec::from_toml(r#"
///     name = "cache"
///     objective = "minimize cost"
///     constraints = ["p99_ms <= 250"]
///     [params]
///     ttl_s = { type = "float", low = 1, high = 3600, log = true }
/// "#).unwrap();
/// assert_eq!(spec.constraints[0].metric(), "p99_ms");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The study's name. In a file it may be left out: the file's own name is taken.
    #[serde(default)]
    pub name: String,
    /// Seed of everything random.
    #[serde(default)]
    pub seed: u64,
    /// The parameters.
    pub params: Space,
    /// The metric to improve: `"minimize cost"`, `"maximize reward"`, or a table.
    pub objective: Objective,
    /// Limits to respect, such as `"p99_ms <= 250"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// Other metrics that may be told; kept, not modelled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub track: Vec<String>,
    /// How many rounds there will be, when that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u64>,
    /// A known-good setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// Quasi-random settings before the model decides. In practice one more than there are parameters; none under the
    /// printed preset, and none where only what is sure may be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<u64>,
    /// Where the constants come from that are not given.
    #[serde(default)]
    pub preset: Preset,
    /// At most this share of the trials goes over a limit: as measured, from the first one on, where a baseline is given; by
    /// their means, from the first setting on that is known to keep the limits, where none is. 0.1 when left out. 0 plays only what is
    /// nearly sure, 1 promises nothing. For the practical preset's own policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
    /// Another way to give a risk, from 0 (promise nothing) over 0.5 (the default risk) to 1 (a risk of 0).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caution: Option<f64>,
    /// A name of the literature, such as `"rpol-ucb"`: stands for a policy and a strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// How a decision is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Which data the model sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// Whether the system may change: of the practical preset, where neither algorithm nor strategy is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// The Gaussian process.
    #[serde(default, skip_serializing_if = "Model::is_default")]
    pub model: Model,
    /// How sure a recommendation must be, a number such as 0.9; or a table with that and the width of the models' band.
    #[serde(default, skip_serializing_if = "Confidence::is_default")]
    #[schemars(with = "confidence::Written")]
    pub confidence: Confidence,
    /// What a failed trial counts as.
    #[serde(default, skip_serializing_if = "Failure::is_default")]
    pub failure: Failure,
    /// How `rpol run` plays it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// A known-good setting, and what it measures if that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The setting; it is the first to be tried.
    pub params: Params,
    /// Its metrics. Left out, the first trial measures them.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub metrics: IndexMap<String, f64>,
}

/// Where constants come from that the definition leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Learned from the data: outputs centred and scaled, hyper-parameters fitted.
    #[default]
    Practical,
    /// The paper's: $\lambda = 1 + 2/T$, a fixed kernel, no centring, the theory's widths.
    Printed,
}

/// The Gaussian process; what is left out comes from the preset.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The kernel on the unit cube of the free parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Kernel>,
    /// Instead of a kernel: the lengthscale of the squared exponential, as a share of each range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengthscale: Option<f64>,
    /// Noise variance $\lambda$ of one observation, in (standardised) units of the outputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// Whether the hyper-parameters are fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learn: Option<bool>,
    /// Whether outputs are centred and scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standardize: Option<bool>,
    /// Most distinct settings that old trials are kept at, at least 16; 1024 when left out, all with the printed preset. Beyond that the most similar ones
    /// are merged, with noise for their difference: memory and time stay bounded however long a study runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<u64>,
    /// With 1024 distinct settings: how much of the optimism behind the best score a setting tried before may lack and still be
    /// played instead, from 0 (never) to 1; in proportion with fewer, and nothing below 192. 0.2 when left out; 0 with the printed preset.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "thrift")]
    pub reuse: Option<f64>,
}

impl Model {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Spec {
    /// Reads TOML; the error has the path of the field, line and column.
    pub fn from_toml(text: &str) -> Result<Self> {
        parse::toml(text)?.checked()
    }

    /// Reads JSON; the error has the path of the field, line and column.
    pub fn from_json(text: &str) -> Result<Self> {
        parse::json(text)?.checked()
    }

    /// Reads a study's file, TOML or JSON by its first character; `name` is the study's where the text has none.
    ///
    /// ```
    /// use rpol::Spec;
    /// let text = r#"{"objective": "y", "params": {"x": {"type": "float", "low": 0, "high": 1}}}"#;
    /// assert_eq!(Spec::from_file_text(text, "cache").unwrap().name, "cache");
    /// ```
    pub fn from_file_text(text: &str, name: &str) -> Result<Self> {
        let json = text.trim_start().starts_with('{');
        let mut spec = if json { parse::json(text)? } else { parse::toml(text)? };
        if spec.name.is_empty() {
            spec.name = name.into();
        }
        spec.checked()
    }

    fn checked(self) -> Result<Self> {
        self.validate()?;
        self.check_novel().map(|()| self)
    }

    /// The JSON Schema of a definition.
    #[must_use]
    pub fn schema() -> serde_json::Value {
        schema::for_people(schemars::schema_for!(Self).to_value())
    }

    /// What leaves no choice to the practical preset: its own kind of field, an algorithm, or the other preset.
    pub(in crate::study) fn decided_by(
        &self,
        given: bool,
        what: &'static str,
    ) -> Option<&'static str> {
        let all = [
            (given, what),
            (self.algorithm.is_some(), "the algorithm"),
            (self.preset == Preset::Printed, "the printed preset"),
        ];
        all.into_iter().find(|(given, _)| *given).map(|(_, what)| what)
    }

    /// The width of the band: the one given, or what stands in for it.
    ///
    /// ```
    /// use rpol::{Spec, confidence::Width};
    /// let text = r#"{"name": "a", "objective": "y", "params": {"x": {"type": "float", "low": 0, "high": 1}}}"#;
    /// assert!(matches!(Spec::from_json(text).unwrap().width().unwrap(), Width::Growing { .. }));
    /// ```
    pub fn width(&self) -> Result<Width> {
        plan::Plan::new(self).map(|plan| plan.width)
    }

    /// The promise that the study's policy makes; `None` where it makes none, or there is no limit to promise anything of.
    ///
    /// ```
    /// use rpol::Spec;
    /// let text = r#"{"name": "a", "objective": "y", "constraints": ["z <= 1"], "risk": 0.05,
    ///                "params": {"x": {"type": "float", "low": 0, "high": 1}}}"#;
    /// assert_eq!(Spec::from_json(text).unwrap().promised().unwrap().risk, 0.05);
    /// ```
    #[must_use]
    pub fn promised(&self) -> Option<Guarded> {
        match plan::Plan::new(self).ok()?.policy {
            Policy::Guarded(policy) if policy.risk < 1.0 && !self.constraints.is_empty() => {
                Some(policy)
            }
            _ => None,
        }
    }

    /// Names of the metrics that make outputs: the objective's, then each constraint's.
    #[must_use]
    pub fn outputs(&self) -> Vec<&str> {
        std::iter::once(self.objective.metric())
            .chain(self.constraints.iter().map(Constraint::metric))
            .collect()
    }

    /// Every metric that may be told.
    #[must_use]
    pub fn metrics(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.outputs().into_iter().chain(self.track.iter().map(String::as_str)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Refuses a definition that is not usable, naming the field, the value and the remedy.
    pub fn validate(&self) -> Result<()> {
        name::check("name", &self.name)?;
        for (i, metric) in self.track.iter().enumerate() {
            name::check(&format!("track[{i}]"), metric)?;
        }
        if self.params.dims() == 0 {
            return Err(Error::spec("params", "every parameter is fixed: leave one free to vary"));
        }
        if self.params.dims() > Sobol::MAX_DIMS {
            let (dims, most) = (self.params.dims(), Sobol::MAX_DIMS);
            let problem = format!("{dims} parameters are free: fix some, {most} is the most");
            return Err(Error::spec("params", problem));
        }
        if self.horizon == Some(0) {
            return Err(Error::spec("horizon", "0 rounds leave nothing to do: give at least 1"));
        }
        let expressions: Vec<String> = self.constraints.iter().map(ToString::to_string).collect();
        let twice = |i: &usize| expressions[..*i].contains(&expressions[*i]);
        if let Some(i) = (0..expressions.len()).find(twice) {
            let problem = format!("`{}` stands there twice: remove one", expressions[i]);
            return Err(Error::spec(format!("constraints[{i}]"), problem));
        }
        self.confidence.validate()?;
        self.check_baseline()?;
        self.failure.validate(self)?;
        if let Some(run) = &self.run {
            run.validate(&self.metrics(), self.baseline.is_some())?;
        }
        plan::Plan::new(self).map(drop)
    }

    fn check_baseline(&self) -> Result<()> {
        use crate::constraint::Threshold;
        let Some(baseline) = &self.baseline else {
            let relative = |c: &&Constraint| matches!(c.threshold(), Threshold::TimesBaseline(_));
            return match self.constraints.iter().find(relative) {
                None => Ok(()),
                Some(c) => {
                    let problem =
                        format!("`{c}` needs a baseline: give [baseline] with its params");
                    Err(Error::spec("baseline", problem))
                }
            };
        };
        let within = |path: &str, e: Error| Error::spec(path, e.to_string());
        self.params.encode(&baseline.params).map_err(|e| within("baseline.params", e))?;
        for (metric, value) in &baseline.metrics {
            if !self.metrics().contains(&metric.as_str()) {
                let known = self.metrics().join(", ");
                let problem = format!("is not a metric of this study: those are {known}");
                return Err(Error::spec(name::path("baseline.metrics", metric), problem));
            }
            crate::Finite::new(metric, *value).map_err(|e| within("baseline.metrics", e))?;
        }
        Ok(())
    }
}
