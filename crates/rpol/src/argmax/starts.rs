//! Where local searches begin.

use crate::points::Points;
use crate::policy::score::Rank;

/// Candidates looked at for starts, best first.
const LOOKED_AT: usize = 1024;
/// Candidates a peak must beat, about.
const NEIGHBOURS: f64 = 36.0;

/// The candidates that no better one is near, best first, at most `most`. Where there are fewer, the
/// best of the others that keep a distance from every start fill up.
///
/// A high ridge would give all the starts to a rule that only keeps them apart; this one sees that a
/// ridge is one mountain, and leaves starts for the others.
pub(super) fn peaks(candidates: &Points, ranks: &[Rank], most: usize) -> Vec<Vec<f64>> {
    let points: Vec<Vec<f64>> =
        best(ranks, LOOKED_AT).into_iter().map(|i| candidates.point(i)).collect();
    // Half the side of a cube with so many candidates, as they fill the whole.
    let spacing = 0.5 * (NEIGHBOURS / ranks.len() as f64).powf(1.0 / candidates.dims() as f64);
    let apart = |x: &[f64], from: &[Vec<f64>]| from.iter().all(|y| distance(x, y) > spacing);
    let is_peak = |i: &usize| apart(&points[*i], &points[..*i]);
    let mut starts: Vec<Vec<f64>> =
        (0..points.len()).filter(is_peak).take(most).map(|i| points[i].clone()).collect();
    for x in &points {
        if starts.len() < most && apart(x, &starts) {
            starts.push(x.clone());
        }
    }
    starts
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
