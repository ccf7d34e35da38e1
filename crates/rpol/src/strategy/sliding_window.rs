//! The last rounds only.

use super::{Learning, Memory, Sight, Timing, at_least_one};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// RPOL-SWUCB (the paper, section 6): decision $t$ sees the rounds $\max(1, t - W), \dots, t - 1$, and the
/// band gains $\Gamma_t = \tfrac1\lambda\sqrt{2W(1+\lambda)\gamma_T}\,\times$ the variation inside the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlidingWindow {
    /// $W$, in rounds.
    pub window: u64,
    /// What is known of the variation.
    #[serde(default)]
    pub drift: Drift,
}

/// What is known of $\|f_{s+1} - f_s\|$, the variation of the system from round to round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// Nothing is added to the band.
    #[default]
    Zero,
    /// $\Gamma_t$ is this number.
    Const(f64),
    /// The variation after round 1, 2, ...: an oracle.
    Oracle(Vec<f64>),
}

impl SlidingWindow {
    /// The paper's choice $W = \lceil\gamma_T^{1/4}\sqrt{T/P_T}\rceil$.
    ///
    /// ```
    /// use rpol::strategy::SlidingWindow;
    /// assert_eq!(SlidingWindow::rounds_for(16.0, 500, 5.0), 20);
    /// ```
    #[must_use]
    pub fn rounds_for(gain: f64, horizon: u64, variation: f64) -> u64 {
        (gain.powf(0.25) * (horizon as f64 / variation).sqrt()).ceil().max(1.0) as u64
    }
}

impl Learning for SlidingWindow {
    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        let inside = value.asked >= self.first(memory, t);
        (inside && value.arrived.is_some_and(|a| a < t)).then_some(Sight::VALUE)
    }

    fn first(&self, _: &Memory, t: u64) -> u64 {
        t.saturating_sub(self.window)
    }

    fn offset(&self, t: u64, lambda: f64, gain: f64) -> f64 {
        match &self.drift {
            Drift::Zero => 0.0,
            Drift::Const(offset) => *offset,
            Drift::Oracle(variation) => {
                let first = t.saturating_sub(self.window).max(1) as usize - 1;
                let last = (t as usize - 1).min(variation.len());
                let inside: f64 = variation.get(first..last).unwrap_or(&[]).iter().sum();
                (2.0 * self.window as f64 * (1.0 + lambda) * gain).sqrt() / lambda * inside
            }
        }
    }

    fn validate(&self) -> Result<()> {
        let values = match &self.drift {
            Drift::Zero => &[],
            Drift::Const(value) => std::slice::from_ref(value),
            Drift::Oracle(values) => values.as_slice(),
        };
        if let Some(v) = values.iter().find(|v| !v.is_finite() || **v < 0.0) {
            let problem = format!("{v} is not a variation: give finite numbers of at least 0");
            return Err(Error::spec("strategy.drift", problem));
        }
        at_least_one("window", self.window)
    }
}
