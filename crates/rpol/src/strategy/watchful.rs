//! A fresh start when forecasts fail in one direction, again and again.

use super::{Hallucinated, Learning, Memory, Sight, Timing, at_least_one};
use crate::error::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// [`Hallucinated`] on the rounds since the last change. A change is told by a CUSUM of log likelihood ratios (Page 1954;
/// Lorden 1971): every value that comes is held against its forecast, and for either direction
///
/// $$S \leftarrow \max\Big(0,\ S + \min\big(\pm\delta z - \tfrac{\delta^2}2,\ c,\ \tfrac h2\big)\Big), \qquad
///   z = \frac{y - \mu}{s}, \quad c = \Big(\ln\frac{\sigma_0}{\sigma} - 1\Big)^+,$$
///
/// with $s$ the deviation of the forecast, noise included, and $\sigma$ and $\sigma_0$ the latent ones of model and prior.
/// The first term is the ratio of "shifted by $\delta = 1.5$ deviations" to "as forecast". The second says that a model
/// is refuted by no more than it claims: where little was known a surprise is no change. The third says that one value
/// alone is an outlier.
///
/// When some output's $S$ reaches $h$, and the prior, which knows nothing of the past, would have told the values since
/// $S$ last left 0 better than the forecasts did, then what was asked for before them counts no more. The multipliers
/// begin anew, and so does the watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watchful {
    /// $h$ in nats: where forecasts are right, false alarms come about once in $e^h$ values or less. Once they rest on $n > 200$
    /// values it is $h + 2\ln(n/200)$: so all false alarms of an endless study are no more than those of two hundred rounds.
    #[serde(default = "default_threshold")]
    pub threshold: f64,
    /// Values since the last change that a forecast must rest on to count: a model that has not settled errs
    /// without any change.
    #[serde(default = "default_after")]
    pub after: u64,
}

/// From so many values on $h$ grows with twice the logarithm of their number: false alarms of an endless watch then add up to
/// a number, and not to one every so many rounds.
const LONG: f64 = 200.0;
/// $\delta$.
const SHIFT: f64 = 1.5;
/// Values within which a suspicion is to be confirmed.
const PATIENCE: u64 = 8;

fn default_threshold() -> f64 {
    9.0
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
    /// $c$.
    pub(crate) claim: f64,
    /// The log likelihood ratio of the prior to the forecast.
    pub(crate) fresh: f64,
}

/// The values since $S$ last left 0.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    sum: f64,
    since: u64,
    values: u64,
    /// How much better the prior tells them.
    fresh: f64,
    /// Values the last of their forecasts rests on.
    rests_on: u64,
}

/// The runs of either direction, up to the alarm if there is one: all that the surprises of an output leave behind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Runs([Run; 2]);

impl Runs {
    /// The first round of the runs that are under way.
    pub(crate) fn since(&self) -> Option<u64> {
        self.0.iter().filter(|run| run.sum > 0.0).map(|run| run.since).min()
    }
}

impl Watchful {
    /// The first round that counts, when the surprises of an output tell of a change.
    pub(crate) fn change(&self, runs: &Runs) -> Option<u64> {
        runs.0.iter().find(|run| self.is_change(run)).map(|run| run.since)
    }

    /// Whether there may have been a change, and the next values will say so. A fit at such a moment would take the
    /// change for noise.
    pub(crate) fn suspects(&self, runs: &Runs) -> bool {
        runs.0.iter().any(|run| run.sum >= self.threshold / 4.0 && run.values <= PATIENCE)
    }

    /// Takes the next surprise of an output into account.
    pub(crate) fn note(&self, runs: &mut Runs, surprise: &Surprise) {
        if surprise.values < self.after {
            return;
        }
        for (run, sign) in runs.0.iter_mut().zip([1.0, -1.0]) {
            if !self.is_change(run) {
                self.extend(run, sign, surprise);
            }
        }
    }

    fn extend(&self, run: &mut Run, sign: f64, surprise: &Surprise) {
        if run.sum == 0.0 {
            *run = Run { since: surprise.asked, ..Run::default() };
        }
        run.sum = f64::max(0.0, run.sum + self.evidence(sign, surprise));
        run.fresh += surprise.fresh.min(self.most());
        run.values += 1;
        run.rests_on = surprise.values;
    }

    fn is_change(&self, run: &Run) -> bool {
        run.sum >= self.needed(run.rests_on) && run.fresh > 0.0
    }

    /// $h$ where the forecasts rest on so many values.
    fn needed(&self, values: u64) -> f64 {
        self.threshold + 2.0 * (values as f64 / LONG).max(1.0).ln()
    }

    fn evidence(&self, sign: f64, surprise: &Surprise) -> f64 {
        let ratio = SHIFT * sign * surprise.error - SHIFT * SHIFT / 2.0;
        ratio.min(surprise.claim).min(self.most())
    }

    /// What one value can say.
    fn most(&self) -> f64 {
        self.threshold / 2.0
    }
}

impl Learning for Watchful {
    fn sees(&self, memory: &Memory, t: u64, value: Timing) -> Option<Sight> {
        Hallucinated {}.sees(memory, t, value).filter(|_| value.asked >= memory.since)
    }

    fn first(&self, memory: &Memory, _: u64) -> u64 {
        memory.since
    }

    fn accumulates(&self) -> bool {
        true
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

    const STRATEGY: Watchful = Watchful { threshold: 8.0, after: 20 };

    fn surprise(asked: u64, error: f64) -> Surprise {
        Surprise { asked, values: 40, error, claim: 9.0, fresh: error * error / 2.0 - 1.0 }
    }

    fn after_calm(errors: &[f64]) -> Vec<Surprise> {
        let calm = (1..=30).map(|t| surprise(t, if t % 2 == 0 { 0.5 } else { -0.5 }));
        let new = (31..).zip(errors).map(|(t, error)| surprise(t, *error));
        calm.chain(new).collect()
    }

    fn runs(surprises: &[Surprise]) -> Runs {
        let mut runs = Runs::default();
        surprises.iter().for_each(|surprise| STRATEGY.note(&mut runs, surprise));
        runs
    }

    fn told(errors: &[f64]) -> Option<u64> {
        STRATEGY.change(&runs(&after_calm(errors)))
    }

    #[test]
    fn a_shift_in_either_direction_is_dated_to_its_first_value() {
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[5.0; 4]), Some(31));
        assert_eq!(told(&[-5.0; 4]), Some(31));
        assert_eq!(told(&[0.0, 5.0, 5.0, 5.0]), Some(32));
        // Small but lasting.
        assert_eq!(told(&[1.6; 4]), None);
        assert_eq!(told(&[1.6; 8]), Some(31));
    }

    #[test]
    fn who_has_watched_for_long_is_harder_to_alarm() {
        let told = |values: u64, count: usize| {
            let mut runs = Runs::default();
            let one = |asked: u64| Surprise { values, ..surprise(asked, 2.5) };
            (1..=count as u64).for_each(|asked| STRATEGY.note(&mut runs, &one(asked)));
            STRATEGY.change(&runs)
        };
        // Each says 2.625 of the 8 that are needed, and of 8 + 2 ln 1000.
        assert_eq!((told(200, 3), told(200, 4)), (None, Some(1)));
        assert_eq!((told(200_000, 8), told(200_000, 9)), (None, Some(1)));
    }

    #[test]
    fn one_outlier_is_no_change_and_errors_in_turn_are_none() {
        assert_eq!(told(&[1e9]), None);
        assert_eq!(told(&[1e9, 0.0, -1e9, 0.0, 1e9, 0.0]), None);
        assert_eq!(told(&[3.0, -3.0, 3.0, -3.0, 3.0, -3.0]), None);
    }

    #[test]
    fn a_model_that_claims_little_or_rests_on_little_is_not_refuted() {
        let told = |claim: f64, values: u64, fresh: f64| {
            let one = |asked| Surprise { asked, values, error: 9.0, claim, fresh };
            STRATEGY.change(&runs(&(1..=8).map(one).collect::<Vec<_>>()))
        };
        assert_eq!(told(1.1, 20, 1.0), Some(1));
        assert_eq!(told(0.9, 20, 1.0), None);
        assert_eq!(told(0.0, 20, 1.0), None);
        assert_eq!(told(1.1, 19, 1.0), None);
        // A forecast that errs may still be better than none.
        assert_eq!(told(1.1, 20, -1.0), None);
    }

    #[test]
    fn a_suspicion_is_young() {
        let suspects = |errors: &[f64]| STRATEGY.suspects(&runs(&after_calm(errors)));
        assert!(!suspects(&[]) && !suspects(&[1.5]));
        assert!(suspects(&[9.0]) && suspects(&[-9.0]) && suspects(&[9.0, 0.0]));
        assert!(!suspects(&[9.0, 0.0, 0.0, 0.0]));
        let drawn_out = [&[9.0][..], &[0.75; 8]].concat();
        assert!(suspects(&drawn_out[..8]) && !suspects(&drawn_out));
    }
}
