//! Points tried before are chosen again where that is as good.

use super::{Beliefs, Found, How, Search, ranks};
use crate::error::Result;
use crate::points::Points;
use crate::policy::score::Estimate;

/// How much may be passed over for the sake of a point tried before.
///
/// Such a point $x$ is chosen when its score lacks at most $\eta\,\beta\sigma(x)$ of the maximum: a share of the optimism in
/// its own upper bound. As that vanishes so does what is passed over, and all of it together is at most
/// $\eta\sum_t\beta_t\sigma_t(x_t)$ over the points that are played: half of $\eta$ of the usual bound
/// $2\sum_t\beta_t\sigma_t(x_t)$ on regret.
pub(crate) struct Thrift<'a> {
    /// $\eta$.
    pub(crate) share: f64,
    /// The points tried before that are most similar to a given one.
    pub(crate) similar: &'a dyn Fn(&[f64]) -> Vec<Vec<f64>>,
}

impl<B: Beliefs> Search<'_, B> {
    /// The best of the tried points similar to `x`, with the rank that a point must beat to be preferred to it.
    pub(super) fn tried(&self, thrift: Option<&Thrift<'_>>, x: &[f64]) -> Result<Option<Found>> {
        let Some(thrift) = thrift.filter(|_| self.score.hinges().is_some()) else {
            return Ok(None);
        };
        let tried = (thrift.similar)(x);
        let points = Points::from_rows(x.len(), &tried);
        let beliefs = self.beliefs.estimate_many(points.view());
        let ranks = ranks(self.score, &beliefs);
        let better = |a: usize, b: usize| if ranks[b].beats(ranks[a]) { b } else { a };
        let Some(best) = (0..ranks.len()).reduce(better) else { return Ok(None) };
        let optimism = self.score.bands()[0].reach(beliefs[0].1[best]).max(0.0);
        let mut rank = ranks[best];
        rank.value += thrift.share * optimism;
        let at = |(means, deviations): &(Vec<f64>, Vec<f64>)| Estimate {
            mean: means[best],
            deviation: deviations[best],
        };
        let at = Some(beliefs.iter().map(at).collect());
        Ok(Some(Found { x: tried[best].clone(), at, rank, how: How::Repeated }))
    }
}
