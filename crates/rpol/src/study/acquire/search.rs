//! Without a baseline: the search for a first setting that keeps the limits.
//!
//! RPOL's optimistic rule searches until a setting keeps the limits more probably than not. From
//! four dimensions on nearly all of a box is near its faces, where nothing was measured and every
//! lower bound of a limit stays below 0. There the search stays within 0.2 of the range of the
//! tried setting that most probably keeps the limits.

use super::guard::DOUBTFUL;
use super::looked::{Looked, best};
use super::moves::{moved, within};
use crate::policy::score::{Estimate, Score};
use crate::random::Stream;
use crate::study::log::event::Promise;
use crate::study::spec::streams::GUARD;
use crate::study::surrogate::context::Context;

/// Without a baseline the search ends with a setting that is more probable to keep the limits than not: until then nothing is
/// charged, and every round more of it is dearer than a doubt.
const EVEN: f64 = 0.5;
/// From this number of coordinates on nearly all of a box is near its faces, where nothing was measured and every lower bound of a
/// limit is below 0 for ever.
const WIDE: usize = 4;
/// How far a search goes there from the setting that most probably keeps the limits, in each coordinate, as a share of the
/// range.
const REACH: f64 = 0.2;
/// Settings compared in each generation, and how far they are moved, as a share of the range.
const GENERATIONS: [(usize, f64, f64); 3] = [(384, 0.02, 0.3), (96, 0.01, 0.1), (64, 0.002, 0.03)];

/// The best of the settings compared, and its score.
pub(in crate::study) struct Near {
    pub(in crate::study) x: Vec<f64>,
    pub(in crate::study) at: Vec<Estimate>,
    value: f64,
}

impl Near {
    /// The better of the two.
    fn or_better(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }
}

impl Context<'_> {
    /// A setting that goes over with more than this probability is not one to guard.
    pub(in crate::study) fn doubtful(&self) -> f64 {
        if self.spec.baseline.is_none() { EVEN } else { DOUBTFUL }
    }

    /// The best by `score` near the setting that most probably keeps the limits, of those that were tried; `None` where the
    /// space is narrow enough to be searched as a whole. The centre moves as better ones are found.
    pub(in crate::study) fn search_near(&self, t: u64, score: &Score) -> Option<Near> {
        let space = &self.spec.params;
        if space.dims() < WIDE {
            return None;
        }
        let tried = self.believed(self.tried_settings());
        let centre = best(0..tried.points.len(), |j| self.log_kept(&tried, j))?;
        let centre = &tried.points[centre];
        let mut stream = Stream::new(self.spec.seed, t).fork(GUARD);
        let mut leader: Option<Near> = None;
        for (count, near, far) in GENERATIONS {
            let points = (0..count).map(|i| {
                let from = leader.as_ref().filter(|_| i % 2 == 0).map_or(centre, |near| &near.x);
                let scale = near * (far / near).powf(stream.uniform());
                moved(space, from, scale, &mut stream)
            });
            let points = points.filter(|x| within(space, x, centre, REACH)).collect();
            leader = match (leader, highest(score, &self.believed(points))) {
                (Some(old), Some(new)) => Some(old.or_better(new)),
                (old, new) => old.or(new),
            };
        }
        leader
    }

    /// The logarithm of the probability that every mean is within its limit: far from all of them, where the probability
    /// itself is 0 to rounding, it still tells which is nearer.
    fn log_kept(&self, looked: &Looked, j: usize) -> f64 {
        let limits = self.limits();
        limits.log_kept(|q| looked.output(q, j), Promise::Mean)
    }
}

fn highest(score: &Score, looked: &Looked) -> Option<Near> {
    let value = |j: usize| score.rank(&looked.at(j)).value;
    let j = best(0..looked.points.len(), value)?;
    Some(Near { x: looked.points[j].clone(), at: looked.at(j), value: value(j) })
}

/// The best of those that are not doubtful, else the surest of all: what to stay at while nothing is left of the allowance.
pub(in crate::study) fn likely(tried: &Looked, over: &[f64]) -> Option<usize> {
    let good = (0..over.len()).filter(|j| over[*j] <= DOUBTFUL);
    best(good, |j| tried.mean(j)).or_else(|| best(0..over.len(), |j| -over[j]))
}
