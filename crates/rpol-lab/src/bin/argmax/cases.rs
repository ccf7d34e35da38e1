//! The runs to check.

use anyhow::{Context, Result, bail};
use rpol::confidence::{PerOutput, Width};
use rpol::strategy::{Drift, SlidingWindow, Strategy};
use rpol::study::{Confidence, Model, Preset, Spec};
use rpol_lab::experiment::spec;
use rpol_lab::problem::{Environment, NoiseReading, by_name};

pub(crate) struct Case {
    pub(crate) environment: Environment,
    pub(crate) spec: Spec,
    pub(crate) seed: u64,
}

/// Experiment and setting.
pub(crate) fn names() -> Vec<&'static str> {
    vec![
        "classical printed",
        "classical practical",
        "classical config",
        "classical ckb",
        "delayed printed",
        "delayed practical",
        "drifting printed",
        "drifting practical",
        "spring practical",
        "hartmann6_budget practical",
    ]
}

pub(crate) fn case(name: &str, horizon: usize, seed: u64) -> Result<Case> {
    let Some((world, setting)) = name.split_once(' ') else { bail!("{name}: no such case") };
    let noise = NoiseReading::Variance;
    let (environment, algorithm) = match world {
        "classical" => (Environment::classical(noise).stretched(horizon), "rpol-ucb"),
        "delayed" => (Environment::delayed(noise).stretched(horizon), "rpol-censored-ucb"),
        "drifting" => (Environment::drifting(noise).stretched(horizon), "rpol-sw-ucb"),
        name => {
            let problem = by_name(name).with_context(|| format!("{name}: no such problem"))?;
            (Environment::stationary(problem, 100, 0.1), "rpol-ucb")
        }
    };
    let mut spec = spec(environment.problem_at(1), environment.horizon, seed)?;
    spec.algorithm = Some(algorithm.into());
    if world == "drifting" {
        spec.strategy =
            Some(Strategy::SlidingWindow(SlidingWindow { window: 80, drift: Drift::Zero }));
    }
    match setting {
        "printed" => printed(&mut spec),
        "practical" => practical(&mut spec),
        "config" => {
            practical(&mut spec);
            spec.algorithm = Some("config".into());
        }
        "ckb" => {
            printed(&mut spec);
            spec.algorithm = Some("ckb-ucb".into());
        }
        other => bail!("{other}: no such setting"),
    }
    Ok(Case { environment, spec, seed })
}

/// The paper's model, with a constant width.
fn printed(spec: &mut Spec) {
    spec.preset = Preset::Printed;
    spec.model.lengthscale = Some(0.25);
    width(spec, PerOutput::All(2.0));
}

/// A model as sure of itself as the noise allows: sharper peaks, more of them.
fn practical(spec: &mut Spec) {
    spec.preset = Preset::Printed;
    spec.model = Model {
        lengthscale: Some(0.25),
        noise: Some(0.05),
        standardize: Some(true),
        ..Model::default()
    };
    let beta = |metric: &str| if metric == "reward" { 1.0 } else { 1.5 };
    let betas = spec.outputs().into_iter().map(|metric| (metric.to_string(), beta(metric)));
    width(spec, PerOutput::Each(betas.collect()));
}

fn width(spec: &mut Spec, beta: PerOutput) {
    spec.confidence = Confidence { width: Some(Width::Constant { beta }), ..Confidence::default() };
}
