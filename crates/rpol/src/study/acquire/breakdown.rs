//! Settings that break down now and then in a way that no model foretells.
//!
//! A reactor that runs away in one trial of five looks sound until it does. So with a probability of
//! $w$ a setting is such a one, in an unknown share $\rho$ of its trials, of which every value is as
//! probable as any other. Of $n$ trials $k$ went over a limit or failed; by the models each goes over
//! with probability $q$:
//!
//! `$$P(\text{breaks down}) = \frac{w B(k + 1, n - k + 1)}{w B(k + 1, n - k + 1) + (1 - w) q^k (1 - q)^{n-k}}$$`
//!
//! With $w = 1/2$, $q = 0$ and none over this is Laplace's rule of succession, $1/(n + 2)$. How large
//! $w$ is depends on where the setting lies: 3 %, but up to 25 % near settings that broke down, by
//! the square of the correlation, and 50 % where a metric is at its limit while all is well and says
//! nothing of how near a breakdown is. So how often a setting must be measured before it is
//! recommended follows from what surrounds it.

use crate::study::surrogate::context::Context;

/// $w$ far from all settings that broke down.
const FAR: f64 = 0.03;
/// $w$ right beside a setting that broke down.
const NEAR: f64 = 0.25;
/// $w$ where the values of a limit say nothing of a breakdown.
const BLIND: f64 = 0.5;

/// How probable it is that a setting breaks down now and then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::study) struct Breakdown {
    probability: f64,
    /// The expected share of trials that it breaks down in.
    share: f64,
}

impl Breakdown {
    /// $w$, for the largest correlation with a setting that broke down.
    pub(in crate::study) fn prior(blind: bool, correlation: f64) -> f64 {
        match blind {
            true => BLIND,
            false => FAR + (NEAR - FAR) * correlation.clamp(0.0, 1.0).powi(2),
        }
    }

    /// After `trials` of which `over` went over a limit or failed, where by the models the next is within with probability
    /// `within`.
    pub(in crate::study) fn new(prior: f64, trials: u64, over: u64, within: f64) -> Self {
        let (n, k) = (trials.max(over) as f64, over as f64);
        let within = within.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        let breaks = libm::lgamma(k + 1.0) + libm::lgamma(n - k + 1.0) - libm::lgamma(n + 2.0);
        let holds = k * libm::log(1.0 - within) + (n - k) * libm::log(within);
        let odds = prior / (1.0 - prior) * libm::exp(breaks - holds);
        let probability = if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 };
        Self { probability, share: (k + 1.0) / (n + 2.0) }
    }

    /// The probability that the means keep the limits, which is `kept` without a breakdown.
    pub(in crate::study) fn mean(self, kept: f64) -> f64 {
        (1.0 - self.probability) * kept
    }

    /// The probability that the next measurement does.
    pub(in crate::study) fn next(self, kept: f64) -> f64 {
        (1.0 - self.probability) * kept + self.probability * (1.0 - self.share)
    }
}

impl Context<'_> {
    /// The largest correlation of a setting with one that broke down, by the limit that tells the two apart least.
    pub(in crate::study) fn nearest_breakdown(&self, x: &[f64]) -> f64 {
        let broke = self.state.record.breakdowns();
        broke.map(|broken| self.correlation(x, &broken)).fold(0.0, f64::max)
    }

    fn correlation(&self, x: &[f64], y: &[f64]) -> f64 {
        let of = |q: usize| {
            let kernel = self.models.on_values(q).0.factor().kernel();
            kernel.value(x, y) / (kernel.value(x, x) * kernel.value(y, y)).sqrt()
        };
        (1..=self.spec.constraints.len()).map(of).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_model_it_is_the_rule_of_succession() {
        for n in [0, 1, 5, 100] {
            let blind = Breakdown::new(Breakdown::prior(true, 0.0), n, 0, 1.0);
            let expected = 1.0 - 1.0 / (n as f64 + 2.0);
            assert!((blind.mean(1.0) - expected).abs() < 1e-12, "{n}: {blind:?}");
        }
    }

    #[test]
    fn from_the_formula_by_hand() {
        // w = 0.03, n = 4, k = 1, q = 0.1: B(2, 4) = 1/20.
        let by_hand = 0.03 / 20.0 / (0.03 / 20.0 + 0.97 * 0.1 * 0.9_f64.powi(3));
        let found = Breakdown::new(Breakdown::prior(false, 0.0), 4, 1, 0.9);
        assert!((found.mean(1.0) - (1.0 - by_hand)).abs() < 1e-12);
        assert!((found.next(0.9) - (0.9 - by_hand * 0.9 + by_hand * (4.0 / 6.0))).abs() < 1e-12);
    }

    #[test]
    fn measurements_within_help_and_a_breakdown_nearby_does_not() {
        let kept = |correlation: f64, n: u64, k: u64| {
            Breakdown::new(Breakdown::prior(false, correlation), n, k, 0.99).mean(1.0)
        };
        assert!(kept(0.0, 3, 0) > kept(0.0, 2, 0));
        assert!(kept(0.9, 2, 0) < kept(0.0, 2, 0));
        // One of two is hardly an accident where one of a hundred was foretold.
        assert!(kept(0.0, 2, 1) < 0.7);
        assert!(kept(0.0, 0, 3).is_finite());
    }
}
