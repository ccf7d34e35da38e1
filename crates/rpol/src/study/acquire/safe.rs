//! The safe policies' choice.

use crate::acquisition::Beliefs;
use crate::confidence::Band;
use crate::error::{Error, Result};
use crate::policy::Safe;
use crate::study::surrogate::context::Context;

/// Candidates whose power to expand is tested, widest first: each costs a pass over the pool.
const TESTED: usize = 32;

/// What is believed of one output at every candidate, in standard units.
struct Bounds {
    band: Band,
    means: Vec<f64>,
    deviations: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Bounds {
    fn new((means, deviations): (Vec<f64>, Vec<f64>), band: Band) -> Self {
        let at = means.iter().zip(&deviations);
        let lower = at.clone().map(|(m, s)| m - band.reach(*s)).collect();
        let upper = at.map(|(m, s)| m + band.reach(*s)).collect();
        Self { band, means, deviations, lower, upper }
    }
}

impl Context<'_> {
    pub(in crate::study) fn safe_choice(
        &self,
        safe: &Safe,
        t: u64,
        bands: &[Band],
    ) -> Result<Vec<f64>> {
        let seed = self.safe_seed().ok_or(Error::NoSafeStart)?;
        let pooled = Beliefs::standard_pooled(self.models);
        let bounds: Vec<Bounds> =
            pooled.into_iter().zip(bands).map(|(at, band)| Bounds::new(at, *band)).collect();
        let count = self.models.candidates().len();
        let is_safe = |j: &usize| bounds[1..].iter().all(|b| b.upper[*j] <= 0.0);
        let inside: Vec<usize> = (0..count).filter(is_safe).collect();
        if inside.is_empty() {
            return Ok(seed);
        }
        let objective = &bounds[0];
        let widest = |j: usize| bounds.iter().map(|b| b.upper[j] - b.lower[j]).fold(0.0, f64::max);
        let best = |a: usize, b: usize, value: &dyn Fn(usize) -> f64| {
            if value(b) > value(a) { b } else { a }
        };
        let expanding = safe.expand.is_none_or(|rounds| t <= rounds);
        let choice = if expanding {
            let reach = inside.iter().map(|j| objective.lower[*j]).fold(f64::MIN, f64::max);
            let maximisers = inside.iter().copied().filter(|j| objective.upper[*j] >= reach);
            let useful: Vec<usize> = match safe.expand {
                None => maximisers.chain(self.expanders(&inside, &bounds, &widest)).collect(),
                Some(_) => self.expanders(&inside, &bounds, &widest),
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

    /// Safe candidates where seeing the lower bound of a constraint would make an unsafe one safe.
    fn expanders(
        &self,
        inside: &[usize],
        bounds: &[Bounds],
        widest: &dyn Fn(usize) -> f64,
    ) -> Vec<usize> {
        let mut order = inside.to_vec();
        order.sort_by(|a, b| widest(*b).total_cmp(&widest(*a)).then(a.cmp(b)));
        let expands = |j: &usize| (1..bounds.len()).any(|q| self.expands(*j, q, &bounds[q]));
        order.into_iter().take(TESTED).filter(expands).collect()
    }

    fn expands(&self, j: usize, q: usize, at: &Bounds) -> bool {
        let covariances = self.models.covariances(q, &self.models.candidates().point(j));
        let total = at.deviations[j].powi(2) + self.models.noise(q);
        let surprise = at.lower[j] - at.means[j];
        (0..at.means.len()).filter(|z| at.upper[*z] > 0.0).any(|z| {
            let mean = at.means[z] + covariances[z] / total * surprise;
            let left = at.deviations[z].powi(2) - covariances[z].powi(2) / total;
            mean + at.band.reach(left.max(0.0).sqrt()) <= 0.0
        })
    }
}
