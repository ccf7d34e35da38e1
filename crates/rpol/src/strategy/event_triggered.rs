//! A fresh start when the data say that the system has changed.

use super::{Learning, Memory, Sight, Timing};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// After ET-GP-UCB (Brunzema et al. 2022): the data of all outputs are dropped when a new value of any
/// output leaves
///
/// $$|y - \mu(x)| \le \beta\,\sigma(x) + R\sqrt{2\ln(\pi^2t^2/3\delta)},$$
///
/// or when a two-sided CUSUM of standardised residuals crosses its threshold. Needs no $P_T$. $R$ is the
/// noise level of the width where that states one, and the model's noise deviation elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventTriggered {
    /// $\beta$ of the test.
    #[serde(default = "default_beta")]
    pub beta: f64,
    /// $\delta$ of the test: how often it may fire for nothing.
    #[serde(default = "default_delta")]
    pub delta: f64,
    /// The CUSUM's threshold, in standard deviations; without it only single values are tested.
    #[serde(default)]
    pub cusum: Option<f64>,
    /// Values an output must have shown since the last change before the next can be told.
    #[serde(default = "default_after")]
    pub after: u64,
}

fn default_beta() -> f64 {
    2.0
}

fn default_delta() -> f64 {
    0.1
}

fn default_after() -> u64 {
    8
}

impl Default for EventTriggered {
    fn default() -> Self {
        let (beta, delta, after) = (default_beta(), default_delta(), default_after());
        Self { beta, delta, cusum: None, after }
    }
}

/// A new value against what was believed before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Residual {
    /// $y - \mu(x)$.
    pub(crate) error: f64,
    /// $\sigma(x)$.
    pub(crate) deviation: f64,
    /// Standard deviation of the noise.
    pub(crate) noise: f64,
}

/// The share of a deviation that the CUSUM forgives each time.
const ALLOWANCE: f64 = 0.5;

impl EventTriggered {
    /// Whether one of the residuals of an output, oldest first, tells of a change before decision `t`.
    pub(crate) fn fires(&self, t: u64, residuals: &[Residual]) -> bool {
        if residuals.len() as u64 <= self.after {
            return false;
        }
        let t = t as f64;
        let quantile = (2.0 * (PI * PI * t * t / (3.0 * self.delta)).ln()).sqrt();
        let outlier = |r: &Residual| r.error.abs() > self.beta * r.deviation + quantile * r.noise;
        residuals.last().is_some_and(outlier) || self.cusum.is_some_and(|h| drifted(residuals, h))
    }
}

fn drifted(residuals: &[Residual], threshold: f64) -> bool {
    let (mut up, mut down) = (0f64, 0f64);
    residuals.iter().any(|r| {
        let z = r.error / r.deviation.hypot(r.noise).max(f64::MIN_POSITIVE);
        up = (up + z - ALLOWANCE).max(0.0);
        down = (down - z - ALLOWANCE).max(0.0);
        up > threshold || down > threshold
    })
}

impl Learning for EventTriggered {
    fn residual_test(&self) -> Option<&EventTriggered> {
        Some(self)
    }

    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let kept = value.asked >= memory.since;
        (kept && value.arrived.is_some_and(|a| a < t)).then_some(Sight::VALUE)
    }

    fn first(&self, memory: &Memory, _: u64) -> u64 {
        memory.since
    }

    fn validate(&self) -> Result<()> {
        if !(self.delta > 0.0 && self.delta < 1.0) {
            let problem = format!("{} is not a probability between 0 and 1", self.delta);
            return Err(Error::spec("strategy.delta", problem));
        }
        let numbers = [("beta", self.beta), ("cusum", self.cusum.unwrap_or(1.0))];
        match numbers.into_iter().find(|(_, v)| !v.is_finite() || *v <= 0.0) {
            None => Ok(()),
            Some((field, v)) => {
                let problem = format!("{v} is not usable: give a finite number above 0");
                Err(Error::spec(format!("strategy.{field}"), problem))
            }
        }
    }
}
