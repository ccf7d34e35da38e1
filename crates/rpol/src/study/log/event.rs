//! The log: everything that happened, in order. State is a fold over it.

use super::forecast::Forecast;
use super::trial::Lease;
use crate::error::{Error, Result};
use crate::finite::Finite;
use crate::gp::{Scale, Warp};
use crate::kernel::Kernel;
use crate::space::Params;
use crate::study::spec::Spec;
use crate::study::spec::revision::Revision;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Counts the ways in which decisions were made: it grows when the same log may lead to another decision than before, so that
/// an audit can tell a log of another build from a damaged one.
pub const ENGINE_VERSION: u32 = 3;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The study began.
    Created {
        /// Its definition.
        spec: Box<Spec>,
        /// The [`ENGINE_VERSION`] that created it; absent in logs from before there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engine: Option<u32>,
    },
    /// A setting was suggested.
    Asked {
        /// The trial's number.
        number: u64,
        /// The round it opened, from 1.
        round: u64,
        /// The setting.
        params: Params,
        /// How it was chosen.
        decision: Decision,
    },
    /// A worker took a trial on, or said that it is still at it.
    Claimed {
        /// The trial's number.
        number: u64,
        /// Who, and for how long unless it says more.
        #[serde(flatten)]
        lease: Lease,
        /// Whether another worker had it before and was not heard of again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// Metrics of a trial arrived.
    Told {
        /// The trial's number.
        number: u64,
        /// What was measured.
        metrics: Metrics,
    },
    /// A trial that was not asked for: history.
    Added {
        /// The trial's number.
        number: u64,
        /// The setting.
        params: Params,
        /// What was measured.
        metrics: Metrics,
    },
    /// Told metrics were replaced; the old values stay in the log.
    Corrected {
        /// The trial's number.
        number: u64,
        /// The right values.
        metrics: Metrics,
    },
    /// A trial gave no result.
    Failed {
        /// The trial's number.
        number: u64,
        /// Why.
        reason: String,
    },
    /// A trial's metrics count no more, from the beginning.
    Voided {
        /// The trial's number.
        number: u64,
        /// Why.
        reason: String,
    },
    /// The strategy saw the system change: earlier rounds count no more.
    Changed {
        /// The first round that counts.
        since: u64,
    },
    /// The definition changed: what is in the log after it was decided under the new one.
    Revised(Revision),
    /// Hyper-parameters were fitted.
    Fitted {
        /// How many observations they rest on.
        observations: u64,
        /// One entry an output: the objective, then each constraint.
        outputs: Vec<Fitted>,
    },
}

impl Event {
    /// Whether it changes what earlier ones meant.
    pub(crate) fn amends(&self) -> bool {
        matches!(self, Self::Voided { .. } | Self::Corrected { .. })
    }
}

/// Metrics by name.
pub type Metrics = IndexMap<String, Reported>;

/// A measured value, with its standard error where that is known: `0.42` or `[0.42, 0.01]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Reported {
    /// The value.
    pub value: Finite,
    /// Its standard error.
    pub sem: Option<Finite>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Raw {
    Value(f64),
    WithError(f64, f64),
}

impl Reported {
    /// Checks a value and its standard error; the error names `field`.
    pub fn new(field: &str, value: f64, sem: Option<f64>) -> Result<Self> {
        let value = Finite::new(field, value)?;
        let sem =
            sem.map(|sem| Finite::new(&format!("{field} (standard error)"), sem)).transpose()?;
        if let Some(sem) = sem.filter(|sem| sem.get() < 0.0) {
            let field = format!("{field} (standard error)");
            return Err(Error::OutOfBounds { field, value: sem.get(), low: 0.0, high: f64::MAX });
        }
        Ok(Self { value, sem })
    }
}

impl TryFrom<Raw> for Reported {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        match raw {
            Raw::Value(value) => Self::new("value", value, None),
            Raw::WithError(value, sem) => Self::new("value", value, Some(sem)),
        }
    }
}

impl From<Reported> for Raw {
    fn from(reported: Reported) -> Self {
        let value = reported.value.get();
        reported.sem.map_or(Self::Value(value), |sem| Self::WithError(value, sem.get()))
    }
}

/// How a setting was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decision {
    /// By whom.
    pub by: By,
    /// The score that was maximised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// $\hat f(x_t)$, as one maximises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// $\check g_i(x_t)$ of each constraint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lower: Vec<f64>,
    /// Whether the model believed that no setting is feasible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub infeasible: bool,
    /// What was promised of it, where a risk was.
    #[serde(default, skip_serializing_if = "Promise::is_measured")]
    pub promise: Promise,
    /// The believed probability that this trial goes over a limit or fails, by what is promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<f64>,
    /// The trial whose setting it is once more: that was issued again, and told by both workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further_of: Option<u64>,
    /// What was expected of each output; empty where no model was asked, and in logs older than this field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forecast: Vec<Forecast>,
}

impl Decision {
    pub(in crate::study) fn without_model(by: By) -> Self {
        let (lower, forecast) = (Vec::new(), Vec::new());
        let promise = Promise::default();
        let (score, upper, over, further_of) = (None, None, None, None);
        Self { by, score, upper, lower, infeasible: false, promise, over, further_of, forecast }
    }
}

/// What a promised risk is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Promise {
    /// The next measurement keeps every limit.
    #[default]
    Measured,
    /// The mean of many measurements would: single ones cannot be promised where their noise is deeper than the limits.
    Mean,
}

impl Promise {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
    fn is_measured(&self) -> bool {
        *self == Self::Measured
    }
}

/// Who chose a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum By {
    /// The user.
    User,
    /// The definition: its baseline.
    Baseline,
    /// The first design, or a policy without a model.
    Design,
    /// The policy: the best setting that keeps the promise.
    Guarded,
    /// The policy: a setting known to keep the limits, as nothing was left of the allowance or nothing better kept the promise.
    Known,
    /// The policy: a choice of a category that was never made before, at the baseline else.
    FirstChoice,
    /// The policy: a trial that the risk allows to fail, spent by RPOL's optimistic rule.
    Explored,
    /// The policy, every choice of the space compared.
    Exhaustive,
    /// The policy, the best candidate improved by a local search.
    Polished,
    /// The policy, the best candidate as it was.
    Pool,
    /// The policy, a setting tried before that is as good as the best.
    Repeated,
    /// The policy: a setting that may be recommended, measured again before the horizon ends.
    Confirmed,
    /// The strategy, a setting that was as forecast: what came last was not, and the system may have changed.
    Checked,
    /// The policy, the best of the settings played last: no search for a better one was due.
    #[serde(alias = "rested")]
    Reused,
}

/// Fitted hyper-parameters of one output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// The kernel, in standard units.
    pub kernel: Kernel,
    /// Noise variance of one observation, in standard units.
    pub noise: f64,
    /// What the values are modelled as.
    #[serde(default, skip_serializing_if = "Warp::is_identity")]
    pub warp: Warp,
    /// The unit of the warped values; its centre is the constant mean.
    pub scale: Scale,
    /// Why the fit should be trusted less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
}
