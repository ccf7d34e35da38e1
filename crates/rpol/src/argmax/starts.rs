//! Where local searches begin.

use super::Beliefs;
use crate::points::Points;
use crate::policy::score::{Estimate, Rank, Score};

/// Candidates looked at for starts, best first.
const LOOKED_AT: usize = 1024;
/// Candidates a peak must beat, about.
const NEIGHBOURS: f64 = 36.0;
/// How far a start is trusted to climb, in the distance of its nearest candidates: along a ridge that
/// its kink hides from them, beyond all of them; on a smooth hill not even so far, or one would be better.
const FAR_ALONG_A_RIDGE: f64 = 2.0;
const FAR_UP_A_HILL: f64 = 0.75;

/// A point to climb from.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) x: Vec<f64>,
    candidate: usize,
    /// No less than what a climb from here is thought to reach.
    pub(super) promise: Rank,
}

const ANYTHING: Rank = Rank { violation: 0.0, value: f64::INFINITY };

/// Half the side of a cube with as many candidates as a peak must beat, as they fill the whole.
pub(super) fn spacing(candidates: &Points) -> f64 {
    0.5 * (NEIGHBOURS / candidates.len() as f64).powf(1.0 / candidates.dims() as f64)
}

/// The candidates that no better one is near, best first, at most `most`. Where there are fewer, the
/// best of the others that keep a distance from every start fill up.
///
/// A high ridge would give all the starts to a rule that only keeps them apart; this one sees that a
/// ridge is one mountain, and leaves starts for the others.
pub(super) fn peaks(candidates: &Points, ranks: &[Rank], most: usize) -> Vec<Start> {
    let order = best(ranks, LOOKED_AT);
    let (dims, spacing) = (candidates.dims(), spacing(candidates));
    let flat: Vec<f64> = order.iter().flat_map(|i| candidates.point(*i)).collect();
    let point = |k: usize| &flat[k * dims..(k + 1) * dims];
    let start = |k: usize| Start { x: point(k).to_vec(), candidate: order[k], promise: ANYTHING };
    let mut starts = Vec::with_capacity(most);
    let mut others = Vec::new();
    for k in 0..order.len() {
        if starts.len() == most {
            break;
        }
        // From the end: what is a little better is mostly near.
        if flat[..k * dims].rchunks_exact(dims).all(|y| distance(point(k), y) > spacing) {
            starts.push(start(k));
        } else {
            others.push(k);
        }
    }
    for k in others {
        if starts.len() < most && starts.iter().all(|s| distance(point(k), &s.x) > spacing) {
            starts.push(start(k));
        }
    }
    starts
}

/// Fills in what every start promises, from the candidates around it.
pub(super) fn promise(
    starts: &mut [Start],
    beliefs: &impl Beliefs,
    score: &Score,
    pooled: &[(Vec<f64>, Vec<f64>)],
) {
    let at = |j: usize| {
        let estimate = |(means, deviations): &(Vec<f64>, Vec<f64>)| Estimate {
            mean: means[j],
            deviation: deviations[j],
        };
        pooled.iter().map(estimate).collect::<Vec<_>>()
    };
    for start in starts.iter_mut() {
        start.promise = promised(start, beliefs, score, &at).unwrap_or(ANYTHING);
    }
}

fn promised(
    start: &Start,
    beliefs: &impl Beliefs,
    score: &Score,
    at: &impl Fn(usize) -> Vec<Estimate>,
) -> Option<Rank> {
    let i = start.candidate;
    let around = beliefs.neighbourhoods().of(beliefs.candidates(), i);
    let far = if score.hinges().is_some() { FAR_ALONG_A_RIDGE } else { FAR_UP_A_HILL };
    let reach = far * around.radius();
    let low: Vec<f64> = start.x.iter().map(|x| (-reach).max(-x)).collect();
    let high: Vec<f64> = start.x.iter().map(|x| reach.min(1.0 - x)).collect();
    let Some(weights) = score.hinges() else {
        let slope = around.gradient(i, |j| score.rank(&at(j)).value)?;
        let rise: f64 = (0..slope.len()).map(|d| (slope[d] * low[d]).max(slope[d] * high[d])).sum();
        return Some(Rank { violation: 0.0, value: score.rank(&at(i)).value + rise });
    };
    let here = at(i);
    let slope = around.gradient(i, |j| score.smooth(&at(j)))?;
    let mut promise = Rank { violation: 0.0, value: f64::INFINITY };
    if weights.iter().all(|w| *w == 0.0) {
        promise.value = score.smooth(&here) + trade(&slope, &slope, 0.0, 0.0, &low, &high).0;
    }
    for (k, weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
        let lower = |j: usize| score.lower(&at(j), k + 1);
        let excess = around.gradient(i, lower)?;
        let (rise, left) = trade(&slope, &excess, lower(i), *weight, &low, &high);
        promise.value = promise.value.min(score.smooth(&here) + rise);
        if weight.is_infinite() {
            promise.violation = promise.violation.max(left);
        }
    }
    Some(promise)
}

/// $\max_\delta a^\top\delta - w[c + b^\top\delta]^+$ over a box that contains 0, and what is left of the
/// bracket: go up along every coordinate, then buy back the excess where it costs least.
fn trade(a: &[f64], b: &[f64], c: f64, w: f64, low: &[f64], high: &[f64]) -> (f64, f64) {
    let top = |d: usize| if a[d] >= 0.0 { high[d] } else { low[d] };
    let mut rise: f64 = (0..a.len()).map(|d| a[d] * top(d)).sum();
    let mut excess = c + (0..a.len()).map(|d| b[d] * top(d)).sum::<f64>();
    // Where f rises with the excess, or does not care and the excess rises.
    let against = |d: usize| a[d] * b[d] > 0.0 || a[d] == 0.0 && b[d] > 0.0;
    let pays = |d: &usize| against(*d) && w * b[*d].abs() > a[*d].abs();
    let mut order: Vec<usize> = (0..a.len()).filter(pays).collect();
    let price = |d: usize| a[d].abs() / b[d].abs();
    order.sort_by(|d, e| price(*d).total_cmp(&price(*e)));
    for d in order {
        if excess <= 0.0 {
            break;
        }
        let back = (b[d].abs() * (high[d] - low[d])).min(excess);
        rise -= back * price(d);
        excess -= back;
    }
    let left = excess.max(0.0);
    (if w.is_finite() { rise - w * left } else { rise }, left)
}

/// Indices of the best, in order.
fn best(ranks: &[Rank], most: usize) -> Vec<usize> {
    let order = |a: &usize, b: &usize| ranks[*a].order(ranks[*b]).then(a.cmp(b));
    let mut best: Vec<usize> = (0..ranks.len()).collect();
    if best.len() > most {
        best.select_nth_unstable_by(most, order);
        best.truncate(most);
    }
    best.sort_by(order);
    best
}

/// The largest difference in a coordinate.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
