//! Points tried before are chosen again where that is as good.
//!
//! In the analysis of RPOL the score at the point played is then at most $\eta\beta_t\sigma_t(x_t)$
//! below its value at the optimum. So regret grows by at most $\eta\sum_t\beta_t\sigma_t(x_t)$, a
//! tenth of the usual bound at $\eta = 0.2$.

use super::{Beliefs, Found, How, Search};
use crate::points::Points;
use crate::policy::score::Estimate;

/// How much may be passed over for the sake of a point tried before.
///
/// Such a point $x$ is chosen when its score lacks at most $\eta\,\beta\sigma(x)$ of the maximum: a share of the optimism in
/// its own upper bound. As that vanishes so does what is passed over, and all of it together is at most
/// $\eta\sum_t\beta_t\sigma_t(x_t)$ over the points that are played: half of $\eta$ of the usual bound
/// $2\sum_t\beta_t\sigma_t(x_t)$ on regret.
pub(crate) struct Reuse<'a> {
    /// $\eta$.
    pub(crate) share: f64,
    /// Points tried before of which it is known what is believed there.
    pub(crate) recent: &'a [Tried],
    /// Other points tried before that are most similar to a given one.
    pub(crate) similar: &'a dyn Fn(&[f64]) -> Vec<Vec<f64>>,
}

/// A point, and what is believed of each output there.
pub(crate) type Tried = (Vec<f64>, Vec<Estimate>);

impl<B: Beliefs> Search<'_, B> {
    /// The best of the recent points, with the rank that a point must beat to be preferred to it.
    pub(super) fn recent(&self, reuse: Option<&Reuse<'_>>) -> Option<Found> {
        let reuse = reuse.filter(|_| self.score.hinges().is_some())?;
        let found = reuse.recent.iter().map(|tried| self.as_good_as(reuse.share, tried));
        found.reduce(better)
    }

    /// The same of the tried points similar to `x`.
    pub(super) fn similar(&self, reuse: Option<&Reuse<'_>>, x: &[f64]) -> Option<Found> {
        let reuse = reuse.filter(|_| self.score.hinges().is_some())?;
        let points = (reuse.similar)(x);
        let beliefs = self.beliefs.standard_estimates(Points::from_rows(x.len(), &points).view());
        let tried = points.into_iter().enumerate().map(|(j, x)| {
            let at = beliefs
                .iter()
                .map(|(means, deviations)| Estimate { mean: means[j], deviation: deviations[j] });
            (x, at.collect())
        });
        tried.map(|tried| self.as_good_as(reuse.share, &tried)).reduce(better)
    }

    fn as_good_as(&self, share: f64, (x, at): &Tried) -> Found {
        let mut rank = self.score.rank(at);
        rank.value += share * self.score.bands()[0].reach(at[0].deviation).max(0.0);
        Found { x: x.clone(), at: Some(at.clone()), rank, how: How::Repeated }
    }
}

/// The better one, of equals the first.
pub(super) fn better(a: Found, b: Found) -> Found {
    if b.rank.beats(a.rank) { b } else { a }
}
