//! The safe policies' choice.

use super::mind::Mind;
use crate::confidence::Band;
use crate::error::{Error, Result};
use crate::policy::Safe;

/// Candidates whose power to expand is tested, widest first: each costs a pass over the pool.
const TESTED: usize = 32;

/// Bounds of one output at every candidate.
struct Bounds {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Mind {
    pub(super) fn safe_choice(&self, safe: &Safe, t: u64, bands: &[Band]) -> Result<Vec<f64>> {
        let seed = self.safe_seed().ok_or(Error::NoSafeStart)?;
        let bounds: Vec<Bounds> = (0..bands.len()).map(|q| self.bounds(q, &bands[q])).collect();
        let count = self.models.candidates().len();
        let is_safe = |j: &usize| bounds[1..].iter().all(|b| b.upper[*j] <= 0.0);
        let inside: Vec<usize> = (0..count).filter(is_safe).collect();
        if inside.is_empty() {
            return Ok(seed);
        }
        let objective = &bounds[0];
        let widest = |j: usize| {
            let width =
                |(q, b): (usize, &Bounds)| (b.upper[j] - b.lower[j]) / self.models.scale(q).spread;
            bounds.iter().enumerate().map(width).fold(0.0, f64::max)
        };
        let best = |a: usize, b: usize, value: &dyn Fn(usize) -> f64| {
            if value(b) > value(a) { b } else { a }
        };
        let expanding = safe.expand.is_none_or(|rounds| t <= rounds);
        let choice = if expanding {
            let reach = inside.iter().map(|j| objective.lower[*j]).fold(f64::MIN, f64::max);
            let maximisers = inside.iter().copied().filter(|j| objective.upper[*j] >= reach);
            let useful: Vec<usize> = match safe.expand {
                None => {
                    maximisers.chain(self.expanders(&inside, &bounds, bands, &widest)).collect()
                }
                Some(_) => self.expanders(&inside, &bounds, bands, &widest),
            };
            useful.into_iter().reduce(|a, b| best(a, b, &widest))
        } else {
            None
        };
        let upper = |j: usize| objective.upper[j];
        let choice = choice.or_else(|| inside.into_iter().reduce(|a, b| best(a, b, &upper)));
        Ok(choice.map_or(seed, |j| self.models.candidates().point(j)))
    }

    /// A setting known to be safe: the best feasible observation, or the baseline.
    fn safe_seed(&self) -> Option<Vec<f64>> {
        let baseline = || self.spec.params.encode(&self.spec.baseline.as_ref()?.params).ok();
        self.state.best_trial().map(|trial| trial.x.clone()).or_else(baseline)
    }

    fn bounds(&self, q: usize, band: &Band) -> Bounds {
        let (means, deviations) = self.models.pooled(q);
        let at = means.iter().zip(&deviations);
        Bounds {
            lower: at.clone().map(|(m, s)| m - band.reach(*s)).collect(),
            upper: at.map(|(m, s)| m + band.reach(*s)).collect(),
        }
    }

    /// Safe candidates where seeing the lower bound of a constraint would make an unsafe one safe.
    fn expanders(
        &self,
        inside: &[usize],
        bounds: &[Bounds],
        bands: &[Band],
        widest: &dyn Fn(usize) -> f64,
    ) -> Vec<usize> {
        let mut order = inside.to_vec();
        order.sort_by(|a, b| widest(*b).total_cmp(&widest(*a)).then(a.cmp(b)));
        let expands = |j: &usize| (1..bands.len()).any(|q| self.expands(*j, q, bounds, &bands[q]));
        order.into_iter().take(TESTED).filter(expands).collect()
    }

    fn expands(&self, j: usize, q: usize, bounds: &[Bounds], band: &Band) -> bool {
        let (means, deviations) = self.models.pooled(q);
        let (spread, noise) = (self.models.scale(q).spread, self.models.noise(q));
        let covariances = self.models.covariances(q, &self.models.candidates().point(j));
        let total = (deviations[j] / spread).powi(2) + noise;
        let surprise = (bounds[q].lower[j] - means[j]) / spread;
        (0..means.len()).filter(|z| bounds[q].upper[*z] > 0.0).any(|z| {
            let mean = means[z] + spread * covariances[z] / total * surprise;
            let left = (deviations[z] / spread).powi(2) - covariances[z].powi(2) / total;
            mean + band.reach(spread * left.max(0.0).sqrt()) <= 0.0
        })
    }
}
