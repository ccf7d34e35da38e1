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
pub(super) fn peaks(near: &Near, ranks: &[Rank], most: usize) -> Vec<usize> {
    let order = |a: usize, b: usize| ranks[a].order(ranks[b]).then(a.cmp(&b));
    let mut looked_at: Vec<usize> = (0..ranks.len()).collect();
    if looked_at.len() > LOOKED_AT {
        looked_at.select_nth_unstable_by(LOOKED_AT, |a, b| order(*a, *b));
        looked_at.truncate(LOOKED_AT);
    }
    let is_peak = |i: &usize| near.of(*i).all(|j| order(j, *i).is_ge());
    let mut starts: Vec<usize> = looked_at.iter().copied().filter(is_peak).collect();
    starts.sort_by(|a, b| order(*a, *b));
    starts.truncate(most);
    let mut is_near = vec![false; ranks.len()];
    starts.iter().for_each(|start| near.of(*start).for_each(|j| is_near[j] = true));
    while starts.len() < most {
        let others = looked_at.iter().copied().filter(|i| !is_near[*i]);
        let Some(best) = others.min_by(|a, b| order(*a, *b)) else { break };
        near.of(best).for_each(|j| is_near[j] = true);
        starts.push(best);
    }
    starts
}

/// For every candidate those at most the [`spacing`] away, itself included.
#[derive(Debug, Clone)]
pub(super) struct Near {
    /// Where the list of each begins, and the end of the last.
    starts: Vec<usize>,
    lists: Vec<u32>,
}

impl Near {
    pub(super) fn find(candidates: &Points) -> Self {
        let (spacing, count) = (spacing(candidates), candidates.len());
        let points: Vec<Vec<f64>> = (0..count).map(|i| candidates.point(i)).collect();
        // Along the first coordinate, so that most of the others need no look.
        let mut sorted: Vec<u32> = (0..count as u32).collect();
        sorted.sort_by(|a, b| points[*a as usize][0].total_cmp(&points[*b as usize][0]));
        let firsts: Vec<f64> = sorted.iter().map(|i| points[*i as usize][0]).collect();
        let (mut starts, mut lists) = (vec![0], Vec::new());
        for x in &points {
            let low = firsts.partition_point(|first| *first < x[0] - spacing);
            let high = firsts.partition_point(|first| *first <= x[0] + spacing);
            let is_near = |j: &&u32| distance(x, &points[**j as usize]) <= spacing;
            lists.extend(sorted[low..high].iter().filter(is_near));
            starts.push(lists.len());
        }
        Self { starts, lists }
    }

    fn of(&self, i: usize) -> impl Iterator<Item = usize> {
        self.lists[self.starts[i]..self.starts[i + 1]].iter().map(|j| *j as usize)
    }
}

/// The largest difference in a coordinate.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
