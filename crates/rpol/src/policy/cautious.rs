//! RPOL in practice.
//!
//! The default before `guarded`; its rule still searches where nothing is guarded. Each part
//! answers a measurement:
//!
//! - *Lengthscales* of constraints are expected short (0.2 of the range, times $\sqrt d$): a long
//!   one assumes too early that a limit has no gap, and the wrong feasible region is final.
//! - *First design*: $d + 1$ quasi-random points.
//! - *Bound*: the lower bound of $g$ where little is known, an upper bound where much is. The lower
//!   bound alone makes the paper's rule violate in most rounds. $\kappa$ moves from round to round
//!   by a golden-ratio sequence.
//! - *Price*: the expected violation $\mathrm E g^+$ costs something by itself. It steers
//!   exploration to where violations are likely small. Of all changes this lowered violation most.
//! - *Penalty*: it grows by what a decision expected to violate. The paper's sum of observed costs
//!   grows by the noise. In practice it hardly moves, since the maximum mostly lies where the bound
//!   is exactly 0.
//! - *Width*: $1.4$ (objective) and $2.5$ (constraint) $+ 0.4\ln(1+t/20)$.
//!
//! At caution 1 the hinges are hard and compare the upper bound $\mu + 2.25\sigma$ with 0.

use super::score::Score;
use super::{Closing, Rule, Situation};
use crate::confidence::Band;
use crate::error::{Error, Result};
use crate::random::normal_quantile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rectified penalty without constants to give, in units of the outputs' own spread:
///
/// $$x_t = \arg\max_x\; \hat f_t(x) - \sum_i Q_{t,i}\,b_{t,i}^+(x) - \rho\sum_i\mathrm E\,g_i^+(x), \qquad
///   Q_{t+1,i} = Q_{t,i} + \eta\,b_{t,i}^+(x_t),$$
///
/// where $b_i = \mu_i - \sigma_i(\beta s - \kappa_t(1-s))$ with $s = \sigma_i^2/(\sigma_i^2+\tau^2)$ is the lower bound
/// of $g_i$ where little is known of it and an upper bound where much is, and $\mathrm E\,g_i^+$ is the violation
/// to expect, which is what the account will show.
///
/// The penalty grows by what a decision itself thought it would violate: noise does not move it. `caution` $c$ sets
/// $\tau$, $\kappa$ and $\rho$ in proportion to its odds $c/(1-c)$: at 0 all three vanish and the bound is the
/// paper's; at 1, once a setting is known whose upper bounds are all below 0, only such settings are played. Before a
/// setting is known that is as sure as $c$ asks ($\mu_i + \kappa\sigma_i \le 0$), a smaller $c$ takes its place, down to 1/2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cautious {
    /// $c$, from 0 (like the paper) to 1 (only what is known to keep every limit).
    #[serde(default = "default_caution")]
    pub caution: f64,
}

fn default_caution() -> f64 {
    Cautious::DEFAULT
}

impl Default for Cautious {
    fn default() -> Self {
        Self { caution: Self::DEFAULT }
    }
}

/// $Q_1$, $\eta$ and, at even odds, $\tau$ in deviations of the noise, $\kappa$ and $\rho$: by trial on the lab's problems.
const START: f64 = 1.5;
const GROWTH: f64 = 0.3;
const KNOWN_AT: f64 = 1.0;
const MARGIN: f64 = 0.2;
const PRICE: f64 = 0.6;
/// $\kappa$ changes from round to round by this: some rounds look for the limit from without, most from within.
const DITHER: f64 = 1.0;
/// Steps of the golden ratio: as even as a sequence without a period can be.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const APART: f64 = 0.324_717_957_244_746;
/// Deviations of the upper bound at full caution.
const SURE: f64 = 2.25;
/// The most caution short of full: odds stay finite.
const MOST: f64 = 0.9;

impl Cautious {
    /// $c$ by default.
    pub const DEFAULT: f64 = 0.5;

    /// $c$ of a constraint that has a budget, of which `left` is left: what is spent turns it up.
    pub(crate) fn with_left(&self, left: f64) -> f64 {
        1.0 - (1.0 - self.caution) * left.clamp(0.0, 1.0)
    }

    /// The most $c$ that a search can afford whose surest setting is `deviations` within the limits: it asks for no
    /// more than is there, $\kappa \le$ `sureness`.
    pub(crate) fn most(sureness: f64) -> f64 {
        if sureness >= SURE {
            return 1.0;
        }
        let odds = sureness.max(0.0) / MARGIN;
        (odds / (1.0 + odds)).clamp(Self::DEFAULT, MOST)
    }

    /// What is held against 0 at full caution: the upper bound.
    pub(crate) fn surely() -> Band {
        Band { width: -SURE, ..Band::default() }
    }

    /// What is held against 0 below full caution, for constraint `i` in round `t`.
    pub(crate) fn band(caution: f64, band: Band, t: u64, i: usize, noise: f64) -> Band {
        let odds = odds(caution);
        let even = (t as f64 * GOLDEN + i as f64 * APART).fract().clamp(0.01, 0.99);
        let known = MARGIN * odds + DITHER / odds.max(1.0) * normal_quantile(even);
        Band { taper: KNOWN_AT * odds * noise, power: 2, known: known.min(band.width), ..band }
    }
}

fn odds(caution: f64) -> f64 {
    let caution = caution.min(MOST);
    caution / (1.0 - caution)
}

impl Rule for Cautious {
    fn is_practical(&self) -> bool {
        true
    }

    fn caution(&self, _: bool) -> Option<f64> {
        Some(self.caution)
    }

    fn start(&self, constraints: usize) -> Vec<f64> {
        vec![START; constraints]
    }

    fn close(&self, multipliers: &mut [f64], closing: &Closing<'_>) {
        for (q, bound) in multipliers.iter_mut().zip(closing.lower) {
            *q += GROWTH * bound.max(0.0);
        }
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        let weight = |(q, caution): (&f64, &f64)| match *caution < 1.0 {
            true => q * odds(*caution).max(1.0),
            false => f64::INFINITY,
        };
        let weights = situation.multipliers.iter().zip(situation.cautions).map(weight).collect();
        let prices = situation.cautions.iter().map(|c| PRICE * odds(*c)).collect();
        Score::hinged(situation.bands, weights).priced(prices)
    }

    fn validate(&self) -> Result<()> {
        self.check()
    }
}

impl Cautious {
    /// Refuses a caution that is not on the dial.
    pub(crate) fn check(&self) -> Result<()> {
        if (0.0..=1.0).contains(&self.caution) {
            return Ok(());
        }
        let problem = format!("{} is not on the dial: give a number from 0 to 1", self.caution);
        Err(Error::spec("caution", problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(caution: f64) -> Band {
        Cautious::band(caution, Band { width: 2.5, ..Band::default() }, 7, 1, 0.3)
    }

    #[test]
    fn no_caution_is_the_lower_bound() {
        for sigma in [1e-6, 0.1, 3.0] {
            assert_eq!(band(0.0).reach(sigma), 2.5 * sigma);
        }
    }

    #[test]
    fn more_caution_never_reaches_further() {
        for sigma in [1e-3, 0.1, 0.5, 3.0] {
            let mean = |c: f64| {
                let at = |t: u64| {
                    Cautious::band(c, Band { width: 2.5, ..Band::default() }, t, 1, 0.3)
                        .reach(sigma)
                };
                (0..2000).map(at).sum::<f64>() / 2000.0
            };
            let dial: Vec<f64> = (0..10).map(|c| mean(f64::from(c) / 10.0)).collect();
            assert!(dial.windows(2).all(|pair| pair[1] <= pair[0]), "{sigma}: {dial:?}");
        }
    }

    #[test]
    fn caution_asks_for_no_more_than_is_known() {
        assert_eq!(Cautious::most(f64::MIN), Cautious::DEFAULT);
        assert_eq!(Cautious::most(SURE), 1.0);
        let dial: Vec<f64> = (0..30).map(|k| Cautious::most(0.1 * f64::from(k))).collect();
        assert!(dial.is_sorted());
        for caution in [0.6, 0.75, 0.9] {
            let margin = MARGIN * odds(caution);
            assert!((Cautious::most(margin) - caution).abs() < 1e-12);
        }
    }

    #[test]
    fn a_spent_budget_is_full_caution() {
        let dial = Cautious { caution: 0.25 };
        assert_eq!((dial.with_left(1.0), dial.with_left(0.5)), (0.25, 0.625));
        assert_eq!((dial.with_left(0.0), dial.with_left(-2.0)), (1.0, 1.0));
    }
}
