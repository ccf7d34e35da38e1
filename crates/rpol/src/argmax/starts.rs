//! Where local searches begin.

use crate::points::Points;
use crate::policy::score::Rank;

/// Candidates looked at for starts, best first.
const LOOKED_AT: usize = 1024;
/// Candidates a peak must beat, about.
const NEIGHBOURS: f64 = 36.0;

/// Half the side of a cube with as many candidates as a peak must beat, as they fill the whole.
pub(super) fn spacing(candidates: &Points) -> f64 {
    0.5 * (NEIGHBOURS / candidates.len() as f64).powf(1.0 / candidates.dims() as f64)
}

/// The candidates that no better one is near, best first, at most `most`. Where there are fewer, the
/// best of the others that keep a distance from every start fill up.
///
/// A high ridge would give all the starts to a rule that only keeps them apart; this one sees that a
/// ridge is one mountain, and leaves starts for the others.
pub(super) fn peaks(candidates: &Points, ranks: &[Rank], most: usize) -> Vec<usize> {
    let order = best(ranks, LOOKED_AT);
    let (dims, spacing) = (candidates.dims(), spacing(candidates));
    let flat: Vec<f64> = order.iter().flat_map(|i| candidates.point(*i)).collect();
    let point = |k: usize| &flat[k * dims..(k + 1) * dims];
    let mut starts: Vec<usize> = Vec::with_capacity(most);
    let mut others = Vec::new();
    for k in 0..order.len() {
        if starts.len() == most {
            break;
        }
        // From the end: what is a little better is mostly near.
        if flat[..k * dims].rchunks_exact(dims).all(|y| distance(point(k), y) > spacing) {
            starts.push(k);
        } else {
            others.push(k);
        }
    }
    for k in others {
        if starts.len() < most && starts.iter().all(|s| distance(point(k), point(*s)) > spacing) {
            starts.push(k);
        }
    }
    starts.into_iter().map(|k| order[k]).collect()
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
