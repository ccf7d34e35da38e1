//! The global maximum of a score over the space.
//!
//! Every candidate of the pool is scored at once; its peaks start short local searches that treat the
//! kinks of the score as constraints, and the best of their ends are climbed until nothing is left to gain;
//! integers and categories are decided over real choices.
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

/// Peaks of the pool a local search begins from: at least so many, and so many a coordinate.
const PEAKS: usize = 32;
const PEAKS_PER_COORDINATE: usize = 12;
/// Ends of the first, short climbs that are climbed to the end.
const FINISHED: usize = 8;
/// Ends closer than this, in every coordinate, are one.
const SAME: f64 = 1e-3;

/// Maximises `score` over `space`. `hints` are further points worth a look, such as past decisions.
pub(crate) fn argmax(
    space: &Space,
    beliefs: &impl Beliefs,
    score: &Score,
    hints: &[Vec<f64>],
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
    let most = PEAKS.max(PEAKS_PER_COORDINATE * space.dims());
    let mut starts = starts::peaks(candidates, &ranks, most);
    starts.extend(hints.iter().cloned());
    let search = Search { space, beliefs, score };
    let ends = starts.iter().map(|start| search.climb(start, Pace::Short));
    for end in foremost(ends.collect::<Result<_>>()?) {
        let end = search.finish(end)?;
        if end.rank.beats(found.rank) {
            found = end;
        }
    }
    Ok(found)
}

/// The best ends, no two of them the same.
fn foremost(mut ends: Vec<Found>) -> Vec<Found> {
    ends.sort_by(|a, b| a.rank.order(b.rank));
    let mut kept: Vec<Found> = Vec::new();
    for end in ends {
        if kept.iter().all(|other| starts::distance(&other.x, &end.x) > SAME) {
            kept.push(end);
        }
        if kept.len() == FINISHED {
            break;
        }
    }
    kept
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

/// How far a local search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Far enough to tell which ends are worth more.
    Short,
    /// Until nothing is left to gain.
    Long,
}

/// Local searches of one decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a, B> {
    pub(crate) space: &'a Space,
    pub(crate) beliefs: &'a B,
    pub(crate) score: &'a Score,
}

impl<B: Beliefs> Search<'_, B> {
    /// From a start: continuous coordinates by gradient, then the neighbours in every other
    /// coordinate, each climbed in turn, until none is better.
    pub(crate) fn climb(&self, start: &[f64], pace: Pace) -> Result<Found> {
        let continuous = |d: &usize| matches!(self.space.coordinates()[*d], Coordinate::Continuous);
        let free: Vec<usize> = (0..self.space.dims()).filter(continuous).collect();
        let polished = |x: &[f64]| -> Result<Found> {
            let (x, rank) = polish::polish(self.beliefs, self.score, x, &free, pace)?;
            Ok(Found { x, rank, how: How::Polished })
        };
        let mut best = polished(start)?;
        if free.len() == self.space.dims() {
            return Ok(best);
        }
        for _ in 0..8 * self.space.dims() {
            let Some(better) = self.best_neighbour(&best)? else { break };
            best = polished(&better)?;
        }
        Ok(best)
    }

    /// Climbs again from where a climb ended while that still gains: a search that has stalled at a
    /// kink or a bound forgets its curvature and goes on.
    pub(crate) fn finish(&self, mut end: Found) -> Result<Found> {
        for _ in 0..4 {
            let next = self.climb(&end.x, Pace::Long)?;
            let gain = next.rank.value - end.rank.value;
            let negligible = gain <= 1e-9 * (1.0 + end.rank.value.abs())
                && next.rank.violation >= end.rank.violation;
            if next.rank.beats(end.rank) {
                end = next;
            }
            if negligible {
                break;
            }
        }
        Ok(Found { how: How::Polished, ..end })
    }

    /// The neighbour that beats a point by most, before any polishing.
    fn best_neighbour(&self, from: &Found) -> Result<Option<Vec<f64>>> {
        let mut best = (None, from.rank);
        for d in 0..self.space.dims() {
            for value in self.space.neighbours(&from.x, d) {
                let mut x = from.x.clone();
                x[d] = value;
                let rank = self.score.rank(&self.beliefs.estimate(&x)?);
                if rank.beats(best.1) {
                    best = (Some(x), rank);
                }
            }
        }
        Ok(best.0)
    }
}
