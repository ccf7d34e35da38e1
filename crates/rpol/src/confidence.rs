//! Confidence widths $\beta_t$ and the information gain they grow with.

use crate::error::{Error, Result};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// One number for every output, or one for each by the name of its metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number, or a table of numbers by metric, is needed")]
pub enum PerOutput {
    /// The same for all.
    All(f64),
    /// By metric.
    Each(IndexMap<String, f64>),
}

impl PerOutput {
    /// The number of the output that `metric` measures.
    pub fn of(&self, path: &str, metric: &str) -> Result<f64> {
        match self {
            Self::All(value) => Ok(*value),
            Self::Each(values) => values.get(metric).copied().ok_or_else(|| {
                Error::spec(
                    format!("{path}.{metric}"),
                    "is missing: give one number for each metric",
                )
            }),
        }
    }
}

/// How wide the band around the mean is: $\mu \pm \beta_t\sigma$.
///
/// $\gamma$ is the information gain, $k$ the number of constraints, $B$ a bound on the RKHS norm
/// (`bound`), $R$ the sub-Gaussian noise level (`noise`), $\lambda$ the model's noise variance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Width {
    /// $\beta$, whatever the round.
    Constant {
        /// $\beta$.
        beta: PerOutput,
    },
    /// Srinivas et al. 2010: $\sqrt{2\ln(t^2\pi^2N/6\delta)}$ on $N$ points, or without `points` the
    /// form for the unit cube with Lipschitz constants 1.
    GpUcb {
        /// $\delta$.
        delta: f64,
        /// $N$.
        #[serde(default)]
        points: Option<f64>,
    },
    /// The paper's, after Chowdhury & Gopalan 2017: $B + R\sqrt{2(\gamma_t + 1 + \ln((1+k)/p))}$.
    Igp {
        /// $B$.
        bound: PerOutput,
        /// $R$.
        noise: PerOutput,
        /// $p$.
        p: f64,
    },
    /// $B + (R/\sqrt\lambda)\sqrt{\ln\det(I + K/\lambda) + 2\ln((1+k)/\delta)}$, for any $\lambda > 0$
    /// and no horizon (Whitehouse et al. 2023).
    Anytime {
        /// $B$.
        bound: PerOutput,
        /// $R$.
        noise: PerOutput,
        /// $\delta$.
        delta: f64,
    },
    /// $\sqrt{B^2 + (R^2/\lambda)(\ln\det(I + K/\lambda) + 2\ln((1+k)/\delta))}$, never wider than
    /// `anytime` (after Flynn & Reeb 2024).
    Mixture {
        /// $B$.
        bound: PerOutput,
        /// $R$.
        noise: PerOutput,
        /// $\delta$.
        delta: f64,
    },
    /// $\beta\,\sigma(x)/(\sigma(x) + \tau\,\text{noise})$: wide where nothing is known, narrow where
    /// much is. Practical, no proof.
    Tapered {
        /// $\beta$.
        beta: PerOutput,
        /// $\tau$.
        tau: f64,
    },
    /// $\beta + r\ln(1 + t/20)$, with one $\beta$ for the objective and one for every constraint: what has not been
    /// looked at for long is looked at again. Practical, no proof.
    Growing {
        /// $\beta$ of the objective.
        objective: f64,
        /// $\beta$ of a constraint.
        constraint: f64,
        /// $r$.
        rate: f64,
    },
    /// The paper's sliding window: $B + (R/\sqrt\lambda)\sqrt{2\gamma + 2\ln((1+k)T/p)}$.
    Window {
        /// $B$.
        bound: PerOutput,
        /// $R$.
        noise: PerOutput,
        /// $p$.
        p: f64,
    },
    /// The paper's delay, with $B_r = B + R\sqrt{4\ln T}$ (the paper prints 2, under which its union bound is
    /// vacuous): $B + (R + B_r)\sqrt{2(\gamma_t + 1 + \ln(2(1+k)/p))}$.
    Censored {
        /// $B$.
        bound: PerOutput,
        /// $R$.
        noise: PerOutput,
        /// $p$.
        p: f64,
    },
}

/// How $\gamma_t$, a maximum over all sets of points, is had.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Gain {
    /// $\tfrac12\ln\det(I + K/\lambda)$ of the data that is seen.
    #[default]
    Realised,
    /// The greedy maximum over a quasi-random set: within $1 - 1/e$ of the maximum there.
    Greedy,
    /// A number.
    Given(f64),
}

/// What a width depends on at one decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment<'a> {
    /// The decision's round, from 1.
    pub(crate) t: u64,
    pub(crate) horizon: Option<u64>,
    pub(crate) dims: usize,
    pub(crate) constraints: usize,
    /// Which output: 0 is the objective.
    pub(crate) output: usize,
    /// Name of the output's metric.
    pub(crate) metric: &'a str,
    /// $\gamma$.
    pub(crate) gain: f64,
    /// $\lambda$.
    pub(crate) lambda: f64,
    /// Standard deviation of an observation, in standard units.
    pub(crate) noise: f64,
    /// How much larger than one output's the noise is (a weighted sum of outputs has more).
    pub(crate) stretch: f64,
    /// What the norm of such a sum may have beyond one output's.
    pub(crate) extra_bound: f64,
}

/// The band of one output at one decision: $\sigma(ws - \kappa(1-s)) + b$ with
/// $s = \sigma^p/(\sigma^p + \tau^p)$, a plain $w\sigma + b$ where $\tau = 0$.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// $w$.
    pub width: f64,
    /// $\tau$: where $\sigma$ equals this, half of $w$ is used.
    pub taper: f64,
    /// $p$: how sharply.
    pub power: i32,
    /// $\kappa$: how far the band reaches to the other side where $\sigma$ is far below $\tau$.
    pub known: f64,
    /// $b$.
    pub offset: f64,
}

impl Default for Band {
    fn default() -> Self {
        Self { width: 0.0, taper: 0.0, power: 1, known: 0.0, offset: 0.0 }
    }
}

impl Band {
    /// The same in a unit smaller by this factor.
    pub(crate) fn stretched(self, factor: f64) -> Self {
        Self { taper: factor * self.taper, offset: factor * self.offset, ..self }
    }

    /// So many times as wide, on either side.
    pub(crate) fn widened(self, factor: f64) -> Self {
        Self { width: factor * self.width, known: factor * self.known, ..self }
    }

    /// $s$ and its derivative.
    fn share(&self, sigma: f64) -> (f64, f64) {
        if self.taper <= 0.0 {
            return (1.0, 0.0);
        }
        let (above, below) = (sigma.powi(self.power), self.taper.powi(self.power));
        let slope = f64::from(self.power) * sigma.powi(self.power - 1) * below;
        (above / (above + below), slope / (above + below).powi(2))
    }

    /// How far the band reaches to either side where the deviation is `sigma`.
    #[must_use]
    pub fn reach(&self, sigma: f64) -> f64 {
        let (share, _) = self.share(sigma);
        (self.width * share - self.known * (1.0 - share)) * sigma + self.offset
    }

    /// Derivative of [`reach`](Self::reach) in `sigma`.
    #[must_use]
    pub fn slope(&self, sigma: f64) -> f64 {
        let (share, slope) = self.share(sigma);
        let width = self.width * share - self.known * (1.0 - share);
        width + (self.width + self.known) * slope * sigma
    }
}

impl Width {
    pub(crate) fn band(&self, at: &Moment<'_>) -> Result<Band> {
        let plain = |width: f64| Band { width, ..Band::default() };
        let of = |field: &str, value: &PerOutput| {
            value.of(&format!("confidence.width.{field}"), at.metric)
        };
        let noisy = |noise: &PerOutput| of("noise", noise).map(|r| r * at.stretch);
        let norm = |bound: &PerOutput| of("bound", bound).map(|b| b + at.extra_bound);
        let t = at.t as f64;
        let outputs = 1.0 + at.constraints as f64;
        Ok(match self {
            Self::Constant { beta } => plain(of("beta", beta)?),
            Self::Growing { objective, constraint, rate } => {
                let beta = if at.output == 0 { objective } else { constraint };
                plain(beta + rate * (1.0 + t / 20.0).ln())
            }
            Self::Tapered { beta, tau } => {
                Band { width: of("beta", beta)?, taper: tau * at.noise, ..Band::default() }
            }
            Self::GpUcb { delta, points: Some(n) } => {
                plain((2.0 * (t * t * PI * PI * n * outputs / (6.0 * delta)).ln()).sqrt())
            }
            Self::GpUcb { delta, points: None } => {
                let (d, delta) = (at.dims as f64, delta / outputs);
                let cover = t * t * d * (4.0 * d / delta).ln().max(1.0).sqrt();
                let first = (t * t * 2.0 * PI * PI / (3.0 * delta)).ln();
                plain((2.0 * first + 2.0 * d * cover.ln()).sqrt())
            }
            Self::Igp { bound, noise, p } => {
                let inside = 2.0 * (at.gain + 1.0 + (outputs / p).ln());
                plain(norm(bound)? + noisy(noise)? * inside.sqrt())
            }
            Self::Anytime { bound, noise, delta } => {
                let inside = 2.0 * at.gain + 2.0 * (outputs / delta).ln();
                plain(norm(bound)? + noisy(noise)? * (inside / at.lambda).sqrt())
            }
            Self::Mixture { bound, noise, delta } => {
                let inside = 2.0 * at.gain + 2.0 * (outputs / delta).ln();
                let r = noisy(noise)?;
                plain((norm(bound)?.powi(2) + r * r * inside / at.lambda).sqrt())
            }
            Self::Window { bound, noise, p } => {
                let inside = 2.0 * at.gain + 2.0 * (outputs * horizon(at) / p).ln();
                plain(norm(bound)? + noisy(noise)? * (inside / at.lambda).sqrt())
            }
            Self::Censored { bound, noise, p } => {
                let (b, r) = (norm(bound)?, noisy(noise)?);
                let inside = 2.0 * (at.gain + 1.0 + (2.0 * outputs / p).ln());
                let observed = b + r * (4.0 * horizon(at).ln()).sqrt();
                plain(b + (r + observed) * inside.sqrt())
            }
        })
    }

    /// $B$ and $R$ of an output, where the width has them.
    pub(crate) fn constants(&self, metric: &str) -> Result<Option<(f64, f64)>> {
        match self {
            Self::Igp { bound, noise, .. }
            | Self::Anytime { bound, noise, .. }
            | Self::Mixture { bound, noise, .. }
            | Self::Window { bound, noise, .. }
            | Self::Censored { bound, noise, .. } => Ok(Some((
                bound.of("confidence.width.bound", metric)?,
                noise.of("confidence.width.noise", metric)?,
            ))),
            Self::Constant { .. }
            | Self::GpUcb { .. }
            | Self::Tapered { .. }
            | Self::Growing { .. } => Ok(None),
        }
    }

    /// Refuses constants outside their range, and probabilities outside $(0, 1)$.
    pub(crate) fn validate(&self, metrics: &[&str]) -> Result<()> {
        let positive = |field: &str, values: &PerOutput, zero_too: bool| {
            metrics.iter().try_for_each(|metric| {
                let value = values.of(&format!("confidence.width.{field}"), metric)?;
                let fine = value.is_finite() && (value > 0.0 || (zero_too && value == 0.0));
                let problem = || format!("{value} is not usable: give a finite number above 0");
                if fine {
                    Ok(())
                } else {
                    Err(Error::spec(format!("confidence.width.{field}"), problem()))
                }
            })
        };
        let chance = |field: &str, value: f64| {
            let problem = || format!("{value} is not a probability: give a number between 0 and 1");
            if value > 0.0 && value < 1.0 {
                Ok(())
            } else {
                Err(Error::spec(format!("confidence.width.{field}"), problem()))
            }
        };
        match self {
            Self::Constant { beta } => positive("beta", beta, true),
            Self::Tapered { beta, tau } => {
                positive("tau", &PerOutput::All(*tau), true)?;
                positive("beta", beta, true)
            }
            Self::Growing { objective, constraint, rate } => {
                let fields = [("objective", objective), ("constraint", constraint), ("rate", rate)];
                fields.iter().try_for_each(|(f, v)| positive(f, &PerOutput::All(**v), true))
            }
            Self::GpUcb { delta, points } => {
                positive("points", &PerOutput::All(points.unwrap_or(1.0)), false)?;
                chance("delta", *delta)
            }
            Self::Igp { bound, noise, p }
            | Self::Window { bound, noise, p }
            | Self::Censored { bound, noise, p } => {
                positive("bound", bound, true)?;
                positive("noise", noise, true)?;
                chance("p", *p)
            }
            Self::Anytime { bound, noise, delta } | Self::Mixture { bound, noise, delta } => {
                positive("bound", bound, true)?;
                positive("noise", noise, true)?;
                chance("delta", *delta)
            }
        }
    }
}

/// $T$, or where there is no horizon the rounds so far.
fn horizon(at: &Moment<'_>) -> f64 {
    at.horizon.unwrap_or(at.t).max(at.t).max(2) as f64
}
