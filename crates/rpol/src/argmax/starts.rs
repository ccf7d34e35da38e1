//! Where local searches begin.

use crate::points::Points;
use crate::policy::score::Rank;
use std::cmp::Ordering;

/// Candidates looked at for starts, best first.
const LOOKED_AT: usize = 512;

/// The best candidates that keep a distance from each other, at most `most`.
pub(super) fn separated(candidates: &Points, ranks: &[Rank], most: usize) -> Vec<Vec<f64>> {
    let order =
        |a: &usize, b: &usize| match (ranks[*a].beats(ranks[*b]), ranks[*b].beats(ranks[*a])) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => a.cmp(b),
        };
    let mut best: Vec<usize> = (0..ranks.len()).collect();
    if best.len() > LOOKED_AT {
        best.select_nth_unstable_by(LOOKED_AT, order);
        best.truncate(LOOKED_AT);
    }
    best.sort_by(order);
    // Candidates fill the cube: this is a few times their mean distance.
    let spacing = 3.0 * (ranks.len() as f64).powf(-1.0 / candidates.dims() as f64);
    let mut starts: Vec<Vec<f64>> = Vec::new();
    for i in best {
        let x = candidates.point(i);
        if starts.iter().all(|start| distance(start, &x) > spacing.min(0.5)) {
            starts.push(x);
        }
        if starts.len() == most {
            break;
        }
    }
    starts
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
