//! Hills as the candidates draw them, before the model is asked.
//!
//! In up to three dimensions the candidates of the pool lie close enough to describe the score
//! between them. Mean and variance of every output around a candidate follow to second order from
//! its nearest neighbours by least squares; the weights depend on the geometry alone and are kept.
//! A walk goes from a peak to the candidate nearest the top that this quadratic shows, until it
//! stays; walks that meet are one. A step costs about five microseconds and does not look at the
//! surrogate. Two dozen starts end at three to five tops, and only those that may be the highest
//! are climbed.

use super::expansion::Taylor;
use super::pool_neighbours::Neighbourhood;
use super::{Beliefs, Pooled, starts, step};
use crate::gp::Expansion;
use crate::points::Points;
use crate::policy::score::{Rank, Score};
use std::collections::HashMap;

/// Neighbours that say how good a drawing is.
const HELD_AGAINST: usize = 4;
/// How exactly the top of a drawing is found: no better than it is drawn.
const ROUGHLY: f64 = 1e-5;
/// How far a drawing is trusted, in the distance of its neighbours.
const FAR: f64 = 0.6;

/// The top of a hill, as the candidates around one of them draw it.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    pub(super) candidate: usize,
    pub(super) top: Vec<f64>,
    pub(super) promised: Rank,
    /// No less than what a climb is thought to reach: twice as much more as the drawing is off, and the rise once more where
    /// the top is at its edge.
    pub(super) at_most: Rank,
}

/// All that a drawing is made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawing<'a, B> {
    pub(super) beliefs: &'a B,
    pub(super) score: &'a Score,
    pub(super) pooled: &'a Pooled,
    pub(super) ranks: &'a [Rank],
}

impl<B: Beliefs> Drawing<'_, B> {
    /// The tops that walks from candidate to candidate end at, the best promise first: each walk goes from a start to
    /// the candidate nearest the top it sees from there, and on, until that is where it stands.
    /// Starts from which nothing can be seen are left in `blind`.
    pub(super) fn tops(&self, from: &[usize], blind: &mut Vec<usize>) -> Vec<Sketch> {
        let mut tops: Vec<Sketch> = Vec::new();
        let mut seen = HashMap::new();
        for (walk, start) in from.iter().enumerate() {
            let (mut next, mut last) = (*start, None);
            while !seen.contains_key(&next) {
                seen.insert(next, walk);
                let Some(sketch) = self.sketch(next) else {
                    blind.push(next);
                    break;
                };
                next = self.nearest(&sketch);
                last = Some(sketch);
            }
            // One that runs into the path of another adds nothing to it.
            tops.extend(last.filter(|_| seen.get(&next) == Some(&walk)));
        }
        tops.sort_by(|a, b| a.promised.order(b.promised));
        tops
    }

    /// The candidate nearest the top of a sketch.
    fn nearest(&self, sketch: &Sketch) -> usize {
        let candidates = self.beliefs.candidates();
        let around = self.beliefs.neighbourhoods().of(candidates, sketch.candidate);
        let distance = |j: usize| square_distance(candidates, j, &sketch.top);
        let closer = |best: (usize, f64), j: &usize| {
            let far = distance(*j);
            if far < best.1 { (*j, far) } else { best }
        };
        around.nearest().iter().fold((sketch.candidate, distance(sketch.candidate)), closer).0
    }

    /// `None` where the candidates around it do not determine a hill.
    fn sketch(&self, i: usize) -> Option<Sketch> {
        let candidates = self.beliefs.candidates();
        let around = self.beliefs.neighbourhoods().of(candidates, i);
        let outputs = self.pooled.iter().map(|(means, deviations)| {
            let mean = around.draw(i, |j| means[j])?;
            let variance = around.draw(i, |j| deviations[j].powi(2))?;
            Some(Expansion { mean, variance })
        });
        let (x, rank) = (candidates.point(i), self.ranks[i]);
        let taylor = Taylor { at: x.clone(), x, outputs: outputs.collect::<Option<_>>()?, rank };
        let reach = FAR * around.radius();
        let (top, promised) = step::polish(&taylor, self.score, reach, ROUGHLY);
        let mut more = 2.0 * self.off(&taylor, around);
        if starts::distance(&top, &taylor.at) > 0.9 * reach {
            more += promised.gain_over(rank);
        }
        Some(Sketch { candidate: i, top, promised, at_most: promised.raised(more) })
    }

    /// How far the drawing is off at the nearest candidates.
    fn off(&self, taylor: &Taylor, around: &Neighbourhood) -> f64 {
        let off = |j: &usize| {
            let drawn = self.score.rank(&taylor.estimate(&self.beliefs.candidates().point(*j)));
            drawn.gain_over(self.ranks[*j]).abs()
        };
        around.nearest().iter().take(HELD_AGAINST).map(off).fold(0.0, f64::max)
    }
}

fn square_distance(candidates: &Points, j: usize, x: &[f64]) -> f64 {
    (0..x.len()).map(|d| (candidates.view().column(d)[j] - x[d]).powi(2)).sum()
}
