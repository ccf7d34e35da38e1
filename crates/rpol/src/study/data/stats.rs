//! What was seen of one output at one setting: repeats add up, in the output's own unit.

use crate::study::log::event::Fitted;
use serde::{Deserialize, Serialize};

/// A standard error below this share of the output's spread is taken as this much.
const FINEST: f64 = 1e-6;
/// And one above this many spreads as that much: its square must be a number.
const COARSEST: f64 = 1e100;
/// How much more one measurement with an error of its own can weigh than another.
const HEAVIEST: f64 = 1e200;

/// Measurements that share the noise of the output, which every fit estimates again.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::study) struct Plain {
    /// How many; one with more noise counts for less.
    pub(in crate::study) weight: f64,
    pub(in crate::study) mean: f64,
    /// $\sqrt{\sum(y - \bar y)^2}$: the squares themselves could overflow.
    pub(in crate::study) scatter: f64,
}

impl Plain {
    fn note(&mut self, value: f64, weight: f64) {
        self.weight += weight;
        let (distance, share) = (value - self.mean, weight / self.weight);
        self.mean += distance * share;
        self.scatter = self.scatter.hypot(distance.abs() * (weight * (1.0 - share)).sqrt());
    }
}

/// Measurements with standard errors of their own, merged by precision.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Own {
    /// The error of the first.
    sem: f64,
    /// The precision of all over that of the first; 0 where there is none.
    precision: f64,
    mean: f64,
}

impl Own {
    fn note(&mut self, value: f64, sem: f64) {
        if self.precision == 0.0 {
            *self = Self { sem, precision: 1.0, mean: value };
            return;
        }
        let weight = (self.sem / sem).powi(2).clamp(1.0 / HEAVIEST, HEAVIEST);
        self.precision = (self.precision + weight).min(HEAVIEST);
        self.mean += (value - self.mean) * (weight / self.precision);
    }

    /// The variance of the mean, in standard units.
    fn variance(&self, spread: f64) -> f64 {
        (self.sem / spread).clamp(FINEST, COARSEST).powi(2) / self.precision
    }
}

/// A value and the variance of its noise, in standard units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::study) struct Valued {
    pub(in crate::study) value: f64,
    pub(in crate::study) noise: f64,
}

/// All that was seen of one output at one setting.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::study) struct OutputStats {
    pub(in crate::study) plain: Plain,
    own: Own,
    /// What was measured at settings that were merged into this one.
    lent: Own,
    /// Deviation of the largest difference between the output there and here, before anything was seen.
    apart: f64,
    /// Weight of what has no value yet.
    pending: f64,
    /// How many values were measured at this very setting.
    pub(in crate::study) count: u64,
}

impl OutputStats {
    /// Notes a value; `spread` bounds how small its standard error can be.
    pub(in crate::study) fn note(
        &mut self,
        value: f64,
        sem: Option<f64>,
        stretch: f64,
        spread: f64,
    ) {
        self.count += 1;
        match sem {
            None => self.plain.note(value, 1.0 / stretch),
            Some(sem) => {
                let sem = sem.clamp(FINEST * spread, COARSEST * spread);
                self.own.note(value, sem * stretch.sqrt());
            }
        }
    }

    /// Notes that a value is on its way.
    pub(in crate::study) fn await_value(&mut self, stretch: f64) {
        self.pending += 1.0 / stretch;
    }

    pub(in crate::study) fn is_pending(&self) -> bool {
        self.pending > 0.0
    }

    /// The measurements that have errors of their own, lent ones last.
    pub(in crate::study) fn known(
        &self,
        spread: f64,
    ) -> impl Iterator<Item = Valued> + Clone + use<> {
        let apart = (self.apart / spread).powi(2);
        let lent = Valued { value: self.lent.mean, noise: self.lent.variance(spread) + apart };
        let lent = (self.lent.precision > 0.0).then_some(lent);
        self.own(spread).into_iter().chain(lent)
    }

    fn own(&self, spread: f64) -> Option<Valued> {
        let own = Valued { value: self.own.mean, noise: self.own.variance(spread) };
        (self.own.precision > 0.0).then_some(own)
    }

    /// All values as one.
    pub(in crate::study) fn valued(&self, fitted: &Fitted) -> Option<Valued> {
        merged(self.plain(fitted).into_iter().chain(self.known(fitted.scale.spread)))
    }

    fn plain(&self, fitted: &Fitted) -> Option<Valued> {
        let Plain { weight, mean, .. } = self.plain;
        (weight > 0.0).then(|| Valued { value: mean, noise: fitted.noise / weight })
    }

    /// The noise that the deviation rests on: with what is pending as if it had come.
    pub(in crate::study) fn noise(&self, fitted: &Fitted) -> Option<f64> {
        let pending = self.is_pending().then(|| fitted.noise / self.pending);
        let valued = self.valued(fitted).map(|valued| valued.noise);
        match (valued, pending) {
            (Some(a), Some(b)) => Some(1.0 / (1.0 / a + 1.0 / b)),
            (a, b) => a.or(b),
        }
    }

    /// Takes over what was seen at another setting, which tells less of the output here.
    ///
    /// All that comes from elsewhere errs by its distance, and however much of it there is, its mean errs by no less than the
    /// farthest: so that is never divided by a number of measurements.
    pub(in crate::study) fn take_over(
        &mut self,
        other: &Self,
        fitted: &Fitted,
        distance: Distance,
    ) {
        let spread = fitted.scale.spread;
        let lent = (other.lent.precision > 0.0)
            .then(|| Valued { value: other.lent.mean, noise: other.lent.variance(spread) });
        let own = other.plain(fitted).into_iter().chain(other.own(spread));
        let Some(all) = merged(own.chain(lent)) else { return };
        self.lent.note(all.value, distance.stretch * spread * all.noise.sqrt());
        let apart = distance.stretch * other.apart + distance.apart * spread;
        self.apart = self.apart.max(apart);
    }
}

/// How much less a measurement at one setting tells of an output at another: its noise has a deviation this many times as
/// large, and `apart` more, in standard units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::study) struct Distance {
    pub(in crate::study) stretch: f64,
    pub(in crate::study) apart: f64,
}

impl Distance {
    /// What leaves the deviation of the output `here` as it is when a measurement `there` is taken for one here: with
    /// $r = k(x, x)/k(x, y)$ the noise $n$ becomes $r^2n + r^2k(y, y) - k(x, x)$.
    pub(in crate::study) fn new(here: f64, there: f64, between: f64) -> Self {
        const LARGEST: f64 = 1e6;
        let stretch = if between > 0.0 { (here / between).min(LARGEST) } else { LARGEST };
        Self { stretch, apart: (stretch * stretch * there - here).max(0.0).sqrt() }
    }
}

/// Independent measurements of one number as one measurement, by precision.
fn merged(parts: impl Iterator<Item = Valued> + Clone) -> Option<Valued> {
    let first = parts.clone().next()?;
    if parts.clone().count() == 1 {
        return Some(first);
    }
    let noise = 1.0 / parts.clone().map(|part| 1.0 / part.noise).sum::<f64>();
    let value = parts.map(|part| part.value * (noise / part.noise)).sum();
    Some(Valued { value, noise })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gp::{Factor, Scale};
    use crate::kernel::Kernel;

    fn fitted(spread: f64) -> Fitted {
        let (kernel, scale) = (Kernel::matern52([0.3]), Scale { centre: 1.0, spread });
        Fitted { kernel, noise: 0.25, warp: Default::default(), scale, degraded: None }
    }

    #[test]
    fn repeats_merge_by_precision_whatever_the_unit() {
        for spread in [2.0, 1e-200, 1e200] {
            let mut seen = OutputStats::default();
            seen.note(1.0 * spread, None, 1.0, spread);
            seen.note(3.0 * spread, None, 1.0, spread);
            let plain = seen.valued(&fitted(spread)).unwrap();
            assert_eq!((plain.value / spread, plain.noise), (2.0, 0.125));
            assert!((seen.plain.scatter / spread - 2f64.sqrt()).abs() < 1e-15);
            // Two measurements with errors of 0.5 and 0.25 spreads: variances 1/4 and 1/16.
            seen.note(0.0, Some(0.5 * spread), 1.0, spread);
            seen.note(5.0 * spread, Some(0.25 * spread), 1.0, spread);
            let all = seen.valued(&fitted(spread)).unwrap();
            assert!((all.noise - 1.0 / (8.0 + 4.0 + 16.0)).abs() < 1e-15);
            assert!((all.value / spread - (2.0 * 8.0 + 5.0 * 16.0) / 28.0).abs() < 1e-14);
        }
    }

    #[test]
    fn an_exact_measurement_is_taken_for_a_very_good_one() {
        let mut seen = OutputStats::default();
        seen.note(7.0, Some(0.0), 1.0, 2.0);
        let valued = seen.valued(&fitted(2.0)).unwrap();
        assert_eq!((valued.value, valued.noise), (7.0, 1e-12));
    }

    #[test]
    fn what_is_pending_narrows_the_deviation_and_has_no_value() {
        let mut seen = OutputStats::default();
        seen.await_value(1.0);
        assert!(seen.valued(&fitted(1.0)).is_none() && seen.is_pending());
        assert_eq!(seen.noise(&fitted(1.0)), Some(0.25));
        seen.note(7.0, None, 1.0, 1.0);
        assert_eq!(seen.noise(&fitted(1.0)), Some(0.125));
    }

    /// What a merged point tells of the one that took it over is what it told before, and no more.
    #[test]
    fn a_merged_point_is_never_more_certain() {
        let kernel = Kernel::matern52([0.3]);
        for (x, count) in [(0.51, 1), (0.55, 40), (0.7, 3), (0.9, 1000)] {
            let mut given = OutputStats::default();
            (0..count).for_each(|_| given.note(2.0, None, 1.0, 3.0));
            let mut taken = OutputStats::default();
            let distance = Distance::new(1.0, 1.0, kernel.value(&[0.5], &[x]));
            taken.take_over(&given, &fitted(3.0), distance);
            let mut apart = Factor::new(kernel.clone(), 1).unwrap();
            apart.push(&[x], given.noise(&fitted(3.0)).unwrap()).unwrap();
            let mut merged = Factor::new(kernel.clone(), 1).unwrap();
            merged.push(&[0.5], taken.noise(&fitted(3.0)).unwrap()).unwrap();
            let (before, after) = (apart.deviation(&[0.5]), merged.deviation(&[0.5]));
            assert!((before - after).abs() < 1e-9, "{x}: {before} {after}");
            // However many come from there, their common error stays.
            let once = taken.noise(&fitted(3.0)).unwrap();
            (0..1000).for_each(|_| taken.take_over(&given, &fitted(3.0), distance));
            let often = taken.noise(&fitted(3.0)).unwrap();
            assert!(often < once && often >= distance.apart.powi(2), "{x}: {often}");
        }
    }
}
