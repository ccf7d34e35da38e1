//! How probable it is that a setting goes over a limit.
//!
//! *Heavier tails.* A Gaussian posterior is too sure of settings that were never measured. Where
//! little of the allowance is left the posterior is a contaminated normal: wrong in 12 % of the
//! cases, by four deviations. The noise keeps its tails.
//!
//! *Failing* is one more output, 1 where a trial failed and -1 where it ran, with its own Gaussian
//! process from the first failure on. Its probability never becomes as sharp as the process: a
//! system begins to fail at once, at an unknown point between a setting that ran and one that
//! failed.

use crate::policy::score::Estimate;
use crate::random::normal_cdf;
use crate::study::log::event::Promise;

/// Deviations that one measurement in twenty is above.
const TWENTIETH: f64 = 1.6448536269514722;

/// How often a model is wrong about a setting that was never measured, and by how many times its deviation (Tukey's contaminated
/// normal). On the live course 3 % of the settings went over that a Gaussian model gave 0.1 %, and 7 % of those that it gave 2 %.
pub(in crate::study) const WRONG: f64 = 0.12;
pub(in crate::study) const WRONG_BY: f64 = 4.0;

/// Half of the step between running (-1) and failing (1).
const STEP: f64 = 0.55;

/// Every limit of a study, failing last where it is modelled, in standard units with the limit at 0.
#[derive(Debug, Clone)]
pub(in crate::study) struct Limits {
    pub(in crate::study) all: Vec<Limit>,
    /// Whether the last is failing.
    pub(in crate::study) fails: bool,
    /// How often the models are taken to be wrong.
    wrong: f64,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Limit {
    /// How much wider than the model's its intervals have to be.
    pub(in crate::study) stretch: f64,
    /// Noise variance of one measurement.
    pub(in crate::study) noise: f64,
    /// What a measurement may be above the limit, where there is a budget: 19 of 20 are to be below.
    pub(in crate::study) most: Option<f64>,
}

impl Limit {
    fn deviation(&self, at: Estimate, noise: f64) -> f64 {
        (self.stretch * at.deviation).hypot(noise.sqrt())
    }

    /// $(1 - w)\,\Phi(-\mu/\sqrt{\sigma^2 + s^2}) + w\,\Phi(-\mu/\sqrt{16\sigma^2 + s^2})$, where the model is wrong with
    /// probability $w$.
    fn kept(&self, at: Estimate, promise: Promise, wrong: f64) -> f64 {
        let noise = if promise == Promise::Measured { self.noise } else { 0.0 };
        let by_chance = |widened: f64| {
            let at = Estimate { deviation: widened * at.deviation, ..at };
            let deviation = self.deviation(at, noise);
            if deviation > 0.0 {
                normal_cdf(-at.mean / deviation)
            } else {
                f64::from(at.mean <= 0.0)
            }
        };
        if wrong == 0.0 {
            return by_chance(1.0);
        }
        (1.0 - wrong) * by_chance(1.0) + wrong * by_chance(WRONG_BY)
    }

    /// What 19 of 20 measurements are below.
    fn high(&self, at: Estimate) -> f64 {
        at.mean + TWENTIETH * self.deviation(at, self.noise)
    }

    fn spares_budget(&self, at: Estimate) -> bool {
        self.most.is_none_or(|most| self.high(at) <= most)
    }
}

impl Limits {
    pub(in crate::study) fn new(all: Vec<Limit>, fails: bool) -> Self {
        Self { all, fails, wrong: 0.0 }
    }

    /// The same by models with heavier tails: what is sure even then is near what was measured.
    pub(in crate::study) fn with_heavy_tails(&self) -> Self {
        Self { wrong: WRONG, ..self.clone() }
    }

    /// The probability that some limit is broken where this is believed of the outputs: by the next measurement, or by the mean
    /// of many. Failing is not one of them.
    ///
    /// $$1 - \prod_i\Phi\Big(\frac{-\mu_i}{\sqrt{\sigma_i^2 + s_i^2}}\Big)$$
    pub(in crate::study) fn over(&self, at: impl Fn(usize) -> Estimate, promise: Promise) -> f64 {
        let limits = self.measured().iter().enumerate();
        1.0 - limits.map(|(i, limit)| limit.kept(at(i + 1), promise, self.wrong)).product::<f64>()
    }

    /// $\sum_i\ln\Phi(\cdot)$ of the same: the logarithm of the probability that none is broken.
    pub(in crate::study) fn log_kept(
        &self,
        at: impl Fn(usize) -> Estimate,
        promise: Promise,
    ) -> f64 {
        let limits = self.measured().iter().enumerate();
        limits
            .map(|(i, limit)| {
                limit.kept(at(i + 1), promise, self.wrong).max(f64::MIN_POSITIVE).ln()
            })
            .sum()
    }

    /// The same or that it fails.
    pub(in crate::study) fn over_or_fails(
        &self,
        at: impl Fn(usize) -> Estimate,
        promise: Promise,
    ) -> f64 {
        let (over, fails) = (self.over(&at, promise), self.fails(&at));
        1.0 - (1.0 - over) * (1.0 - fails)
    }

    /// Whether the mean of each limit is kept with this probability, by itself.
    pub(in crate::study) fn each_kept(
        &self,
        at: impl Fn(usize) -> Estimate,
        probability: f64,
    ) -> bool {
        let limits = self.measured().iter().enumerate();
        limits
            .map(|(i, limit)| limit.kept(at(i + 1), Promise::Mean, self.wrong))
            .all(|kept| kept >= probability)
    }

    /// Whether the next measurement is within every budget's share for one trial.
    pub(in crate::study) fn spares_budgets(&self, at: impl Fn(usize) -> Estimate) -> bool {
        self.measured().iter().enumerate().all(|(i, limit)| limit.spares_budget(at(i + 1)))
    }

    /// The probability that it fails. Where a system begins to fail it does so at once, and it is unknown where between a
    /// setting that ran and one that failed: hence a deviation however much was seen.
    pub(in crate::study) fn fails(&self, at: impl Fn(usize) -> Estimate) -> f64 {
        if !self.fails {
            return 0.0;
        }
        let Estimate { mean, deviation } = at(self.all.len());
        normal_cdf(mean / deviation.hypot(STEP))
    }

    fn measured(&self) -> &[Limit] {
        &self.all[..self.all.len() - usize::from(self.fails)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits::new(vec![Limit { stretch: 1.0, noise: 0.04, most: None }], false)
    }

    fn over(limits: &Limits, mean: f64, deviation: f64) -> f64 {
        limits.over(|_| Estimate { mean, deviation }, Promise::Measured)
    }

    #[test]
    fn a_contaminated_normal_has_the_tails_of_both() {
        let heavy = limits().with_heavy_tails();
        // From Python's `statistics.NormalDist`.
        assert!((over(&limits(), -1.0, 0.5) - 0.031658893415022815).abs() < 1e-12);
        assert!((over(&heavy, -1.0, 0.5) - 0.06498922980047953).abs() < 1e-12);
    }

    /// The model may be wrong where nothing was measured, not about what was: a repeat is as sure as before.
    #[test]
    fn heavier_tails_count_new_settings_and_not_repeats() {
        let (plain, heavy) = (limits(), limits().with_heavy_tails());
        assert!(over(&plain, -1.0, 0.3) < 0.004 && over(&heavy, -1.0, 0.3) > 0.02);
        assert_eq!(over(&plain, -1.0, 0.0), over(&heavy, -1.0, 0.0));
    }
}
