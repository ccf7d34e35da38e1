//! A fresh start when forecasts fail in one direction, again and again.

use super::{Hallucinated, Learning, Memory, Sight, Timing, at_least_one};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// [`Hallucinated`] on the rounds since the last change, where a change is what Page's CUSUM of log likelihood ratios
/// tells (Page 1954; Lorden 1971). Every value that comes is held against its forecast, and for either direction
///
/// $$S \leftarrow \max\Big(0,\ S + \min\big(\pm\delta z - \tfrac{\delta^2}2,\ 2\ln\tfrac{s_0}{s},\ \tfrac h2\big)\Big), \qquad
///   z = \frac{y - \mu}{s}.$$
///
/// The first term is the ratio of "shifted by $\delta = 1.5$ deviations" to "as forecast". The second says that a
/// model is not refuted by more than it claims, $s$ being its predictive deviation and $s_0$ the prior's: where little
/// was known a surprise is no change. The third says that one value alone is an outlier. When some output's $S$ reaches
/// $h$, what was asked for before it last left 0 counts no more, the multipliers begin anew, and so does the watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watchful {
    /// $h$ in nats: where forecasts are right, false alarms come about once in $e^h$ values.
    #[serde(default = "default_threshold")]
    pub threshold: f64,
    /// Values since the last change that a forecast must rest on to count: a model that has not settled errs
    /// without any change.
    #[serde(default = "default_after")]
    pub after: u64,
}

/// $\delta$.
const SHIFT: f64 = 1.5;
/// Evidence against a model, as a multiple of what it claims to know.
const REFUTABLE: f64 = 2.0;

fn default_threshold() -> f64 {
    14.0
}

fn default_after() -> u64 {
    20
}

impl Default for Watchful {
    fn default() -> Self {
        Self { threshold: default_threshold(), after: default_after() }
    }
}

/// A value against its forecast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Surprise {
    /// The round of the decision.
    pub(crate) asked: u64,
    /// How many values the forecast rests on.
    pub(crate) values: u64,
    /// $z$.
    pub(crate) error: f64,
    /// $\ln(s_0/s)$.
    pub(crate) claim: f64,
}

impl Watchful {
    /// The first round that counts, when the surprises of an output, oldest first, tell of a change.
    pub(crate) fn change(&self, surprises: &[Surprise]) -> Option<u64> {
        [1.0, -1.0].into_iter().find_map(|sign| self.shift(sign, surprises))
    }

    fn shift(&self, sign: f64, surprises: &[Surprise]) -> Option<u64> {
        let (mut sum, mut since) = (0.0, 0);
        for surprise in surprises.iter().filter(|s| s.values >= self.after) {
            if sum == 0.0 {
                since = surprise.asked;
            }
            sum = f64::max(0.0, sum + self.evidence(sign, surprise));
            if sum >= self.threshold {
                return Some(since);
            }
        }
        None
    }

    fn evidence(&self, sign: f64, surprise: &Surprise) -> f64 {
        let ratio = SHIFT * sign * surprise.error - SHIFT * SHIFT / 2.0;
        ratio.min(REFUTABLE * surprise.claim.max(0.0)).min(self.threshold / 2.0)
    }
}

impl Learning for Watchful {
    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        Hallucinated {}.sees(memory, t, value).filter(|_| value.asked >= memory.since)
    }

    fn validate(&self) -> Result<()> {
        if self.threshold.is_finite() && self.threshold > 0.0 {
            return at_least_one("after", self.after);
        }
        let problem = format!("{} is not usable: give a finite number above 0", self.threshold);
        Err(Error::spec("strategy.threshold", problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surprise(asked: u64, error: f64) -> Surprise {
        Surprise { asked, values: 40, error, claim: 2.0 }
    }

    fn after_calm(errors: &[f64]) -> Option<u64> {
        let calm = (1..=30).map(|t| surprise(t, if t % 2 == 0 { 0.5 } else { -0.5 }));
        let new = (31..).zip(errors).map(|(t, error)| surprise(t, *error));
        Watchful { threshold: 8.0, after: 20 }.change(&calm.chain(new).collect::<Vec<_>>())
    }

    #[test]
    fn a_shift_in_either_direction_is_dated_to_its_first_value() {
        assert_eq!(after_calm(&[]), None);
        assert_eq!(after_calm(&[5.0; 4]), Some(31));
        assert_eq!(after_calm(&[-5.0; 4]), Some(31));
        assert_eq!(after_calm(&[0.0, 5.0, 5.0, 5.0]), Some(32));
        // Small but lasting.
        assert_eq!(after_calm(&[1.6; 4]), None);
        assert_eq!(after_calm(&[1.6; 8]), Some(31));
    }

    #[test]
    fn one_outlier_is_no_change_and_errors_in_turn_are_none() {
        assert_eq!(after_calm(&[1e9]), None);
        assert_eq!(after_calm(&[1e9, 0.0, -1e9, 0.0, 1e9, 0.0]), None);
        assert_eq!(after_calm(&[3.0, -3.0, 3.0, -3.0, 3.0, -3.0]), None);
    }

    #[test]
    fn a_model_that_claims_little_or_rests_on_little_is_not_refuted() {
        let strategy = Watchful { threshold: 8.0, after: 20 };
        let told = |claim: f64, values: u64| {
            let one = |asked| Surprise { asked, values, error: 9.0, claim };
            strategy.change(&(1..=8).map(one).collect::<Vec<_>>())
        };
        assert_eq!(told(0.6, 20), Some(1));
        assert_eq!(told(0.4, 20), None);
        assert_eq!(told(-1.0, 20), None);
        assert_eq!(told(0.6, 19), None);
    }
}
