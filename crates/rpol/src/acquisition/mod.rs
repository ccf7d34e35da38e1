//! The global maximum of a score over the space.
//!
//! Every candidate of the pool is scored at once. In up to three dimensions the candidates lie so close that they
//! draw the hills between them: walks on these drawings find the tops, and the model is asked only about those that
//! may be the highest. In more dimensions the highest peaks of the pool and the last decisions are starts; the one that
//! its first step takes highest goes first, and the others end as soon as they cannot beat it. A local search walks on
//! second-order expansions of the beliefs; integers and categories are decided over real choices.
//! A small finite space is compared point by point. The same for a seed, whatever the machine does.

mod augmented_lagrangian;
mod effort;
mod expansion;
mod pool_neighbours;
mod pool_quadratic;
mod reuse;
mod starts;
mod step;

pub(crate) use pool_neighbours::Neighbourhoods;
pub(crate) use reuse::{Reuse, Tried};

use crate::error::Result;
use crate::gp::Expansion;
use crate::points::{Points, PointsView};
use crate::policy::score::{Estimate, Rank, Score};
use crate::space::{Coordinate, Space};
use effort::Effort;
use expansion::Taylor;
use pool_quadratic::Drawing;

/// Beliefs over the space at one decision, in standard units: each output centred and divided by its spread.
pub(crate) trait Beliefs {
    fn candidates(&self) -> &Points;
    fn neighbourhoods(&self) -> &Neighbourhoods;
    /// Means and deviations of every output at the candidates.
    fn standard_pooled(&self) -> Vec<(Vec<f64>, Vec<f64>)>;
    fn standard_estimate(&self, x: &[f64]) -> Result<Vec<Estimate>>;
    /// Means and deviations of every output at many points.
    fn standard_estimates(&self, points: PointsView<'_>) -> Vec<(Vec<f64>, Vec<f64>)>;
    /// Mean and variance of every output around each of `points`, to second order along the
    /// coordinates `free`.
    fn standard_expand(&self, points: &[Vec<f64>], free: &[usize]) -> Result<Vec<Vec<Expansion>>>;
    /// How many points each model rests on: what an estimate takes grows with their squares.
    fn model_sizes(&self) -> Vec<usize>;
    /// Hears that every candidate has its rank, for those who measure: what follows are local searches.
    fn ranked(&self) {}
}

/// The maximum, and how it was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) x: Vec<f64>,
    /// The beliefs there, where they were computed.
    pub(crate) at: Option<Vec<Estimate>>,
    pub(crate) rank: Rank,
    pub(crate) how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Exhaustive,
    Polished,
    Pool,
    /// Tried before, and as good as the best.
    Repeated,
}

/// Spaces with at most this number of points are compared point by point; fewer where that has to be done for many outputs.
const EXHAUSTIVE: u64 = 8192;
const EXHAUSTIVE_TOGETHER: u64 = 4 * EXHAUSTIVE;

/// Up to how many points a space is compared point by point.
pub(crate) fn exhaustive(outputs: usize) -> u64 {
    EXHAUSTIVE.min(EXHAUSTIVE_TOGETHER / outputs as u64)
}

/// Whether the candidates are the whole space.
pub(crate) fn is_exhaustive(space: &Space, candidates: &Points) -> bool {
    space.size() == Some(candidates.len() as u64)
}

/// Up to this number of coordinates the candidates lie close enough to draw the hills between them.
const DRAWN: usize = 3;
/// Peaks of the pool that may be started from where hills are drawn; after hundreds of rounds few are left.
const PEAKS: usize = 16;
const THRIFTY_PEAKS: usize = 8;
/// Where they are not drawn; the most of these and the hints that are climbed to the top.
const SPARSE_PEAKS: usize = 3;
const SPARSE_CLIMBS: usize = 2;
/// Where some coordinates make no hills or the score is of another kind.
const OTHER_PEAKS: usize = 32;
/// Expansions one local search may take.
const EXPANSIONS: usize = 40;
/// A local search that expects less than this share of its value has arrived.
const NEGLIGIBLE: f64 = 1e-10;
/// One that expects less than this takes its last step: what is left then is of the order of this to
/// the power 3/2.
const LAST: f64 = 1e-7;
/// A climb so near the best end so far, in every coordinate, is on the same hill.
const SAME: f64 = 0.02;
/// The smallest box worth a step.
const SMALLEST: f64 = 1e-9;

/// Means and deviations of every output at the candidates.
pub(crate) type Pooled = [(Vec<f64>, Vec<f64>)];

/// Maximises `score` over `space`. `hints` are further points worth a look, such as past decisions.
pub(crate) fn argmax(
    space: &Space,
    beliefs: &impl Beliefs,
    score: &Score,
    hints: &[Vec<f64>],
    reuse: Option<&Reuse<'_>>,
) -> Result<Found> {
    let pooled = beliefs.standard_pooled();
    let ranks = ranks(score, &pooled);
    beliefs.ranked();
    let candidates = beliefs.candidates();
    // The first of equals, so that ties fall the same way every time.
    let first = |a: usize, b: usize| if ranks[b].beats(ranks[a]) { b } else { a };
    let best = (0..ranks.len()).reduce(first).unwrap_or(0);
    let found = Found { x: candidates.point(best), at: None, rank: ranks[best], how: How::Pool };
    if is_exhaustive(space, candidates) {
        return Ok(Found { how: How::Exhaustive, ..found });
    }
    let search = Search::new(space, beliefs, score);
    let spacing = starts::spacing(candidates);
    let found = match space.dims() <= DRAWN && search.is_plain() {
        true => search.among_drawn(&pooled, &ranks, found, spacing, reuse)?,
        false => search.among_peaks(&ranks, hints, found, spacing)?,
    };
    if found.how == How::Repeated {
        return Ok(found);
    }
    let tried = search.recent(reuse).into_iter().chain(search.similar(reuse, &found.x));
    let tried = tried.reduce(reuse::better).filter(|tried| !found.rank.beats(tried.rank));
    Ok(tried.unwrap_or(found))
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

/// A local search under way: where it is, and where its next step leads.
#[derive(Debug, Clone)]
struct Climb {
    here: Taylor,
    reach: f64,
    to: Vec<f64>,
    promised: Rank,
}

/// Local searches of one decision.
#[derive(Debug)]
pub(crate) struct Search<'a, B> {
    space: &'a Space,
    beliefs: &'a B,
    score: &'a Score,
    effort: Effort,
}

impl<'a, B: Beliefs> Search<'a, B> {
    pub(crate) fn new(space: &'a Space, beliefs: &'a B, score: &'a Score) -> Self {
        Self { space, beliefs, score, effort: Effort::new(&beliefs.model_sizes()) }
    }

    /// The coordinates that move continuously.
    fn free(&self) -> Vec<usize> {
        let continuous = |d: &usize| matches!(self.space.coordinates()[*d], Coordinate::Continuous);
        (0..self.space.dims()).filter(continuous).collect()
    }

    /// Whether all coordinates are continuous and the score is a smooth one but for its hinges, whose tops are found exactly.
    fn is_plain(&self) -> bool {
        self.score.hinges().is_some() && self.free().len() == self.space.dims()
    }

    /// Where candidates are dense: the model is asked only about hills whose top, as the candidates draw it, may be
    /// the highest.
    fn among_drawn(
        &self,
        pooled: &Pooled,
        ranks: &[Rank],
        mut found: Found,
        spacing: f64,
        reuse: Option<&Reuse<'_>>,
    ) -> Result<Found> {
        let candidates = self.beliefs.candidates();
        let most = if reuse.is_some() { THRIFTY_PEAKS } else { PEAKS };
        let near = self.beliefs.neighbourhoods().near(candidates);
        let starts = starts::peaks(near, ranks, most);
        let drawing = Drawing { beliefs: self.beliefs, score: self.score, pooled, ranks };
        let mut blind = Vec::new();
        // What was seen of the hills so far: around which points, and how far.
        let mut seen: Vec<(Vec<f64>, f64)> = Vec::new();
        found = self.recent(reuse).into_iter().fold(found, reuse::better);
        for sketch in drawing.tops(&starts, &mut blind) {
            let near = |(x, reach): &(Vec<f64>, f64)| starts::distance(&sketch.top, x) < *reach;
            if seen.iter().any(near) || !sketch.at_most.beats(found.rank) {
                continue;
            }
            let mut climb = self.begin(vec![sketch.top], 0.5 * spacing)?.remove(0);
            if ranks[sketch.candidate].beats(climb.here.rank) {
                // The drawing was no good.
                blind.push(sketch.candidate);
            }
            found = self.similar(reuse, &climb.to).into_iter().fold(found, reuse::better);
            if found.how == How::Repeated {
                if climb.promised.beats(found.rank)
                    && starts::distance(&found.x, &climb.to) < spacing
                {
                    // A long step promises too much: from the tried point it is a short one.
                    climb = self.begin(vec![found.x.clone()], 0.5 * spacing)?.remove(0);
                }
                if !climb.promised.beats(found.rank) {
                    seen.push((climb.here.x, 0.5 * spacing));
                    continue;
                }
            }
            found = self.better(climb, found)?;
            if found.how != How::Pool {
                seen.push((found.x.clone(), SAME));
            }
        }
        let mut blind: Vec<Vec<f64>> =
            blind.into_iter().map(|start| candidates.point(start)).collect();
        // Higher than all that its hill was drawn to be: no search has started there yet.
        blind.extend((found.how == How::Pool).then(|| found.x.clone()));
        self.climb_best(blind.len(), blind, found, spacing)
    }

    /// Where they are not: from the highest peaks and the hints.
    fn among_peaks(
        &self,
        ranks: &[Rank],
        hints: &[Vec<f64>],
        found: Found,
        spacing: f64,
    ) -> Result<Found> {
        let candidates = self.beliefs.candidates();
        let plain = self.is_plain();
        let most = if plain { SPARSE_PEAKS } else { OTHER_PEAKS };
        let near = self.beliefs.neighbourhoods().near(candidates);
        let peaks = starts::peaks(near, ranks, most);
        let mut starts: Vec<Vec<f64>> =
            peaks.into_iter().map(|start| candidates.point(start)).collect();
        for hint in hints {
            if starts.iter().all(|start| starts::distance(start, hint) > SAME) {
                starts.push(hint.clone());
            }
        }
        self.climb_best(if plain { SPARSE_CLIMBS } else { starts.len() }, starts, found, spacing)
    }

    /// From the starts with the best first steps, at most `count`: each that is climbed raises the bar for the others.
    fn climb_best(
        &self,
        most: usize,
        starts: Vec<Vec<f64>>,
        mut found: Found,
        spacing: f64,
    ) -> Result<Found> {
        let mut climbs = self.begin(starts, 0.5 * spacing)?;
        climbs.sort_by(|a, b| a.promised.order(b.promised));
        climbs.truncate(most);
        for climb in climbs {
            found = self.better(climb, found)?;
        }
        Ok(found)
    }

    /// From a start, wherever it leads.
    pub(crate) fn climb(&self, start: &[f64], reach: f64) -> Result<Found> {
        let climb = self.begin(vec![start.to_vec()], reach)?.remove(0);
        self.finish(climb, None)
    }

    /// Where a climb ends, or the best before it if that is better.
    fn better(&self, climb: Climb, found: Found) -> Result<Found> {
        let end = self.finish(climb, Some(&found))?;
        Ok(if end.rank.beats(found.rank) { end } else { found })
    }

    /// The first step of a climb from each start.
    fn begin(&self, starts: Vec<Vec<f64>>, reach: f64) -> Result<Vec<Climb>> {
        let begun = |here: Taylor| {
            let (to, promised) = self.step(&here, reach);
            Climb { here, reach, to, promised }
        };
        let expanded = self.expand(starts)?;
        Ok(expanded.into_iter().map(begun).collect())
    }

    /// Continuous coordinates by expansions, then the neighbours in every other coordinate, each
    /// climbed in turn, until none is better. A climb that will not reach `bar` may end early.
    fn finish(&self, climb: Climb, bar: Option<&Found>) -> Result<Found> {
        let reach = climb.reach;
        let mut best = self.ascend(climb, bar)?;
        if self.free().len() == self.space.dims() {
            return Ok(best);
        }
        for _ in 0..8 * self.space.dims() {
            let Some(better) = self.best_neighbour(&best)? else { break };
            best = self.ascend(self.begin(vec![better], reach)?.remove(0), bar)?;
        }
        Ok(best)
    }

    fn expand(&self, points: Vec<Vec<f64>>) -> Result<Vec<Taylor>> {
        let free = self.free();
        // One solve for the value, and one for each slope.
        self.effort.spend(points.len() * (1 + free.len()));
        Taylor::expand(self.beliefs, self.score, points, &free)
    }

    /// The best point of an expansion within reach, and what it promises there.
    fn step(&self, here: &Taylor, reach: f64) -> (Vec<f64>, Rank) {
        step::polish(here, self.score, reach, NEGLIGIBLE)
    }

    /// Expands the beliefs, goes to the best point of the expansion within reach, and expands again
    /// there: a trust region, whose error is of third order in the step. Never worse than the start.
    fn ascend(&self, climb: Climb, bar: Option<&Found>) -> Result<Found> {
        let free = self.free();
        let Climb { mut here, mut reach, mut to, mut promised } = climb;
        let mut best = here.found();
        for _ in 0..EXPANSIONS {
            let hoped = match promised.violation == here.rank.violation {
                true => promised.gain_over(here.rank) / (1.0 + here.rank.value.abs()),
                // However little is broken, it has to be mended.
                false => f64::INFINITY,
            };
            let spent = self.effort.looks() == 0;
            if free.is_empty() || hoped <= NEGLIGIBLE || reach < SMALLEST || spent {
                break;
            }
            // Twice what the expansion promises is not enough; or this hill has been climbed already.
            let gain = promised.gain_over(here.rank);
            let hopeless = |bar: &Found| {
                let same_hill = starts::distance(&here.x, &bar.x) < SAME;
                !promised.raised(gain).beats(bar.rank) || same_hill && !promised.beats(bar.rank)
            };
            if hoped.is_finite() && bar.is_some_and(hopeless) {
                break;
            }
            let mut x = here.x.clone();
            free.iter().zip(&to).for_each(|(d, v)| x[*d] = *v);
            if hoped <= LAST {
                // The expansion is as good as exact here: one more look at the value, and done.
                let at = self.beliefs.standard_estimate(&x)?;
                let rank = self.score.rank(&at);
                if rank.beats(best.rank) {
                    return Ok(Found { x, at: Some(at), rank, how: How::Polished });
                }
            }
            let there = self.expand(vec![x])?.remove(0);
            let step = starts::distance(&to, &here.at);
            // A long step along a ridge ends a little off it, where a steep penalty hides what was
            // gained: what counts is how high the ridge is there.
            let landed = match there.rank.gain_over(here.rank) > 0.75 * gain {
                true => there.rank,
                false => there.restored(self.score),
            };
            let share = landed.gain_over(here.rank) / gain;
            reach = match share {
                share if share < 0.25 => 0.3 * step,
                share if share > 0.75 && step > 0.9 * reach => 2.0 * reach,
                _ => reach,
            };
            if there.rank.beats(best.rank) {
                best = there.found();
            }
            if landed.beats(here.rank) {
                here = there;
            }
            (to, promised) = self.step(&here, reach);
        }
        Ok(best)
    }

    /// The neighbour that beats a point by most, before any polishing.
    fn best_neighbour(&self, from: &Found) -> Result<Option<Vec<f64>>> {
        let mut points = Vec::new();
        for d in 0..self.space.dims() {
            points.extend(self.space.neighbours(&from.x, d).into_iter().map(|value| (d, value)));
        }
        let looks = self.effort.looks();
        if points.len() > looks {
            // Some of every coordinate.
            let every = points.len().div_ceil(looks.max(1));
            points = points.into_iter().step_by(every).take(looks).collect();
        }
        self.effort.spend(points.len());
        let beside = |(d, value): (usize, f64)| {
            let mut x = from.x.clone();
            x[d] = value;
            x
        };
        let points: Vec<Vec<f64>> = points.into_iter().map(beside).collect();
        // All at once: one by one each would pay for the first steps of a look.
        let rows = Points::from_rows(self.space.dims(), &points);
        let outputs = self.beliefs.standard_estimates(rows.view());
        let mut best = (None, from.rank);
        for (j, x) in points.into_iter().enumerate() {
            let at = |(means, deviations): &(Vec<f64>, Vec<f64>)| Estimate {
                mean: means[j],
                deviation: deviations[j],
            };
            let rank = self.score.rank(&outputs.iter().map(at).collect::<Vec<_>>());
            if rank.beats(best.1) {
                best = (Some(x), rank);
            }
        }
        Ok(best.0)
    }
}
