//! A fresh start when what was known holds no more.

use super::{Hallucinated, Learning, Memory, Sight, Timing, at_least_one};
use crate::error::{Error, Result};
use crate::random::{normal_cdf, normal_quantile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// [`Hallucinated`] on the rounds since the last change. Forecasts raise a doubt, repeats settle it.
///
/// Every value that comes is held against its forecast, $z = (y - \mu)/s$, where the model claims to know the place: where its
/// latent deviation is no more than the noise of one measurement. What such an error means is learned from those before it. Its
/// *rank* among them, together with $k = 20$ that a right forecast would have, gives for either direction the share
///
/// $$p = \frac{1 + \#\{z_i \ge z\} + k\,\Phi(-z)}{n + k + 1},$$
///
/// uniform for errors of any distribution while nothing changes (McDonald 1990; conformal test martingales of Vovk et al. 2021
/// rest on the same). Half of a bet is on *wild* errors, beyond all before and beyond three deviations, half on a shift by $\delta = 1.5$ deviations of their normal
/// scores:
///
/// $$e = \ln\Big(\frac{\mathbf 1\{p \le p_0, z \ge 3\}}{2p_0} + \frac12\exp\big(\delta u - \tfrac{\delta^2}2\big)\Big), \qquad u = \Phi^{-1}(1 - p),
///   \quad p_0 = \frac{1.5}{n + k + 1},$$
///
/// at most $h/3$: three values at least make a change.
///
/// *A doubt* is raised by a wild error, or by a CUSUM (Page 1954) of $e$ that reaches $h/2$. One wild value may
/// be an outlier, several may be a model that an outlier has led astray, or a cliff. So the next trials repeat settings: those
/// nearest, each once. What comes is held against what was measured at that very setting before the
/// doubt, by no model. That is a sequential test (Wald 1945) of $e$ from repeats alone, which begins at $h/3$ for a wild value and at 0 else.
/// A sum that falls to 0, of an output in one direction, is over, until a wild repeat begins it again; when all are, nothing has changed. When one reaches $h$, and the prior, which knows
/// nothing of the past, would have told the repeats better, then what was asked for before the doubt counts no more. The multipliers
/// start again, and so does the test. Under a promised risk play goes back to the baseline first.
///
/// *The baseline* is all that may be played while nothing is left of a promised risk, and a change may spare it. So where a doubt
/// arose elsewhere its trials neither settle it nor use up the patience for it. They feed a CUSUM of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watchful {
    /// $h$ in nats: a doubt for nothing becomes an alarm at most once in about $e^{2h/3}$. Once forecasts rest on $n > 1000$ values it is
    /// $h + 2\ln(n/1000)$: so all false alarms of an endless study are no more than those of a thousand rounds.
    #[serde(default = "default_threshold")]
    pub threshold: f64,
    /// Values since the last change that a forecast must rest on to raise a doubt: a model that has not settled errs
    /// without any change.
    #[serde(default = "default_after")]
    pub after: u64,
}

/// From this number of values on $h$ grows with twice the logarithm of their number: false alarms of an endless watch then add up to
/// a number, and not to a constant rate.
const LONG: f64 = 1000.0;
/// $\delta$.
const SHIFT: f64 = 1.5;
/// $k$: errors of a right forecast that stand for those not seen yet.
const EXPECTED: f64 = 20.0;
/// $p_0$ in units of the smallest share there is.
const EXTREME: f64 = 1.5;
/// Deviations that make a wild error.
const WILD: f64 = 3.0;
/// Errors that a new one is compared with.
const REMEMBERED: usize = 256;

fn default_threshold() -> f64 {
    8.0
}

fn default_after() -> u64 {
    15
}

impl Default for Watchful {
    fn default() -> Self {
        Self { threshold: default_threshold(), after: default_after() }
    }
}

/// Either direction of an error.
pub(crate) const DIRECTIONS: [f64; 2] = [1.0, -1.0];

/// The last errors of an output's forecasts, in deviations.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Scores(VecDeque<f64>);

impl Scores {
    pub(crate) fn note(&mut self, error: f64) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(error);
    }

    /// $n + k + 1$.
    fn total(&self) -> f64 {
        self.0.len() as f64 + EXPECTED + 1.0
    }

    /// $p$: the share of errors at least as far in a direction.
    fn tail(&self, direction: f64, error: f64) -> f64 {
        let far = direction * error;
        let seen = self.0.iter().filter(|old| direction * **old >= far).count();
        (1.0 + seen as f64 + EXPECTED * normal_cdf(-far)) / self.total()
    }

    /// Whether an error is beyond those before it.
    fn is_extreme(&self, share: f64) -> bool {
        share * self.total() <= EXTREME
    }
}

/// A CUSUM of the errors of forecasts in one direction.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Slide {
    pub(crate) sum: f64,
    /// The first round since the sum left 0.
    pub(crate) since: u64,
}

impl Watchful {
    /// What an error says of a change in a direction.
    pub(crate) fn evidence(&self, scores: &Scores, direction: f64, error: f64) -> f64 {
        let share = scores.tail(direction, error);
        let leap =
            if self.is_wild(scores, direction, error) { scores.total() / EXTREME } else { 0.0 };
        let score = normal_quantile((1.0 - share).max(f64::MIN_POSITIVE));
        let shift = (SHIFT * score - SHIFT * SHIFT / 2.0).exp();
        (0.5 * (leap + shift)).ln().min(self.most())
    }

    /// Whether one value alone is reason to doubt.
    pub(crate) fn is_wild(&self, scores: &Scores, direction: f64, error: f64) -> bool {
        direction * error >= WILD && scores.is_extreme(scores.tail(direction, error))
    }

    /// Takes an error into account; whether there is reason to doubt.
    pub(crate) fn slides(&self, slide: &mut Slide, evidence: f64, asked: u64) -> bool {
        if slide.sum == 0.0 {
            slide.since = asked;
        }
        slide.sum = f64::max(0.0, slide.sum + evidence);
        slide.sum >= self.threshold / 2.0
    }

    /// $h$ where the forecasts rest on `values` values.
    pub(crate) fn needed(&self, values: u64) -> f64 {
        self.threshold + 2.0 * (values as f64 / LONG).max(1.0).ln()
    }

    /// What one value can say.
    pub(crate) fn most(&self) -> f64 {
        self.threshold / 3.0
    }

    /// Whether this number of repeats could ever settle a doubt: else none is raised.
    pub(crate) fn is_settled_by(&self, repeats: u64) -> bool {
        let rarest = (REMEMBERED as f64 + EXPECTED + 1.0) / EXTREME;
        repeats as f64 * self.most().min(rarest.ln()) >= self.threshold
    }
}

impl Learning for Watchful {
    fn repeat_test(&self) -> Option<&Watchful> {
        Some(self)
    }

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
    use crate::random::Stream;

    const STRATEGY: Watchful = Watchful { threshold: 8.0, after: 20 };

    fn scores(errors: impl IntoIterator<Item = f64>) -> Scores {
        let mut scores = Scores::default();
        errors.into_iter().for_each(|error| scores.note(error));
        scores
    }

    fn calm() -> Scores {
        let mut stream = Stream::new(3, 0);
        scores((0..40).map(|_| stream.normal()))
    }

    #[test]
    fn what_one_value_says_is_bounded_and_depends_on_those_before() {
        let [calm, wild] = [calm(), scores((0..40).map(|i| if i % 9 == 0 { 50.0 } else { 0.1 }))];
        assert_eq!(STRATEGY.evidence(&calm, 1.0, 1e9), 8.0 / 3.0);
        assert_eq!(STRATEGY.evidence(&calm, -1.0, -1e9), 8.0 / 3.0);
        assert!(STRATEGY.evidence(&calm, 1.0, 0.0) < -0.5);
        assert!(STRATEGY.evidence(&calm, -1.0, 1e9) < -5.0, "the other direction");
        assert!(STRATEGY.evidence(&wild, 1.0, 40.0) < 0.5, "there were such");
        assert!(STRATEGY.is_wild(&calm, 1.0, 5.0) && !STRATEGY.is_wild(&calm, -1.0, 5.0));
        assert!(!STRATEGY.is_wild(&calm, 1.0, 2.9) && !STRATEGY.is_wild(&wild, 1.0, 40.0));
    }

    /// A bet that is fair: it gains nothing on average, whatever the errors are.
    #[test]
    fn the_bet_is_fair_under_any_distribution() {
        let mut stream = Stream::new(5, 0);
        // Normal, of heavy tails, and mostly 0.
        let laws: [fn(&mut Stream) -> f64; 3] = [
            Stream::normal,
            |stream| stream.normal() / (-stream.uniform().ln()).sqrt(),
            |stream| if stream.uniform() < 0.9 { 0.0 } else { 30.0 * stream.uniform() },
        ];
        let free = Watchful { threshold: 1e9, after: 1 };
        for law in laws {
            let (mut sum, runs) = (0.0, 4000);
            for _ in 0..runs {
                let scores = scores((0..60).map(|_| law(&mut stream)));
                sum += free.evidence(&scores, 1.0, law(&mut stream)).exp();
            }
            assert!(sum / f64::from(runs) < 1.3, "{}", sum / f64::from(runs));
        }
    }

    #[test]
    fn a_small_shift_that_lasts_is_reason_to_doubt() {
        let scores = calm();
        let rounds = |error: f64| {
            let mut slide = Slide::default();
            let doubts = |t: &u64| {
                let evidence = STRATEGY.evidence(&scores, 1.0, error);
                STRATEGY.slides(&mut slide, evidence, *t)
            };
            (1..=30).find(doubts)
        };
        assert!(rounds(1.6).is_some_and(|t| t > 2) && rounds(0.5).is_none());
        assert_eq!(rounds(5.0), Some(2));
    }

    #[test]
    fn only_the_last_errors_are_remembered_and_the_bar_rises_in_the_end() {
        let scores = scores((0..300).map(|i| if i < 30 { 90.0 } else { 0.0 }));
        assert!(STRATEGY.is_wild(&scores, 1.0, 9.0));
        assert_eq!(STRATEGY.needed(500), 8.0);
        let hopeless = Watchful { threshold: 1e9, after: 1 };
        assert!(
            STRATEGY.is_settled_by(3) && !STRATEGY.is_settled_by(2) && !hopeless.is_settled_by(99)
        );
        assert!((STRATEGY.needed(1_000_000) - 8.0 - 2.0 * 1000f64.ln()).abs() < 1e-12);
    }
}
