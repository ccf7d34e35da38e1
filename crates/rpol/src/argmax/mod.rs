//! The global maximum of a score over the space.
//!
//! Every candidate of the pool is scored at once; the best separated ones start a local search that
//! treats the kinks of the score as constraints; integers and categories are decided over real choices.
//! A small finite space is compared point by point. The same for a seed, whatever the machine does.

mod polish;
mod starts;

use crate::error::Result;
use crate::points::{Points, PointsView};
use crate::policy::score::{Estimate, Rank, Score};
use crate::space::{Coordinate, Space};

/// Beliefs over the space, at one decision.
pub(crate) trait Beliefs {
    fn candidates(&self) -> &Points;
    /// Means and deviations of every output at the candidates.
    fn pooled(&self) -> Vec<(Vec<f64>, Vec<f64>)>;
    fn estimate(&self, x: &[f64]) -> Result<Vec<Estimate>>;
    /// Means and deviations of every output at many points.
    fn estimate_many(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)>;
    /// With the gradients of mean and deviation.
    fn estimate_with_gradient(&self, x: &[f64]) -> Result<Vec<(Estimate, [Vec<f64>; 2])>>;
}

/// The maximum, and how it was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) x: Vec<f64>,
    pub(crate) rank: Rank,
    pub(crate) how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Exhaustive,
    Polished,
    Pool,
}

/// Spaces with at most so many points are compared point by point.
pub(crate) const EXHAUSTIVE: u64 = 8192;

/// Maximises `score` over `space`. `hints` are further points worth a look, such as past decisions.
pub(crate) fn argmax(
    space: &Space,
    beliefs: &impl Beliefs,
    score: &Score,
    hints: &[Vec<f64>],
    effort: usize,
) -> Result<Found> {
    let ranks = ranks(score, &beliefs.pooled());
    let candidates = beliefs.candidates();
    // The first of equals, so that ties fall the same way every time.
    let first = |a: usize, b: usize| if ranks[b].beats(ranks[a]) { b } else { a };
    let best = (0..ranks.len()).reduce(first).unwrap_or(0);
    let mut found = Found { x: candidates.point(best), rank: ranks[best], how: How::Pool };
    if space.size().is_some_and(|size| size <= EXHAUSTIVE) {
        return Ok(Found { how: How::Exhaustive, ..found });
    }
    let mut starts = starts::separated(candidates, &ranks, effort);
    starts.extend(hints.iter().cloned());
    for start in starts {
        let end = climb(space, beliefs, score, &start)?;
        if end.rank.beats(found.rank) {
            found = end;
        }
    }
    Ok(found)
}

/// The rank of every point, from the means and deviations of each output.
pub(crate) fn ranks(score: &Score, outputs: &[(Vec<f64>, Vec<f64>)]) -> Vec<Rank> {
    let mut at = vec![Estimate { mean: 0.0, deviation: 0.0 }; outputs.len()];
    let rank = |j: usize| {
        for (estimate, (means, deviations)) in at.iter_mut().zip(outputs) {
            *estimate = Estimate { mean: means[j], deviation: deviations[j] };
        }
        score.rank(&at)
    };
    (0..outputs[0].0.len()).map(rank).collect()
}

/// Local search from a start: continuous coordinates by gradient, then the neighbours in every other
/// coordinate, each climbed in turn, until none is better.
pub(crate) fn climb(
    space: &Space,
    beliefs: &impl Beliefs,
    score: &Score,
    start: &[f64],
) -> Result<Found> {
    let free: Vec<usize> = (0..space.dims())
        .filter(|d| matches!(space.coordinates()[*d], Coordinate::Continuous))
        .collect();
    let polished = |x: &[f64]| -> Result<Found> {
        let x = polish::polish(beliefs, score, x, &free)?;
        let rank = score.rank(&beliefs.estimate(&x)?);
        Ok(Found { x, rank, how: How::Polished })
    };
    let mut best = polished(start)?;
    if free.len() == space.dims() {
        return Ok(best);
    }
    for _ in 0..8 * space.dims() {
        let Some(better) = best_neighbour(space, beliefs, score, &best)? else { break };
        best = polished(&better)?;
    }
    Ok(best)
}

/// The neighbour that beats a point by most, before any polishing.
fn best_neighbour(
    space: &Space,
    beliefs: &impl Beliefs,
    score: &Score,
    from: &Found,
) -> Result<Option<Vec<f64>>> {
    let mut best = (None, from.rank);
    for d in 0..space.dims() {
        for value in space.neighbours(&from.x, d) {
            let mut x = from.x.clone();
            x[d] = value;
            let rank = score.rank(&beliefs.estimate(&x)?);
            if rank.beats(best.1) {
                best = (Some(x), rank);
            }
        }
    }
    Ok(best.0)
}
