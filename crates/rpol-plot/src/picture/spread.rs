//! Which values an axis shows: one outlier must not press all others into a line.

use super::axis::sound;
use crate::figure::range::widened;

/// How many times the distance between the tenths a value may lie outside them: much, as a search that has settled
/// leaves them close together.
const REACH: f64 = 20.0;

/// The range of the values without what lies far out, and with everything that `must` be seen.
pub(super) fn range(values: impl Iterator<Item = f64>, must: &[f64]) -> [f64; 2] {
    let mut sorted: Vec<f64> = values.map(sound).collect();
    sorted.sort_by(f64::total_cmp);
    let [low, high] = fence(&sorted);
    let kept = sorted.into_iter().filter(|v| (low..=high).contains(v));
    let ends = kept.chain(must.iter().copied().map(sound)).map(|v| [v, v]);
    let ends = ends.reduce(|[l, h], [a, b]| [l.min(a), h.max(b)]).unwrap_or([0.0, 1.0]);
    widened(ends).map(sound)
}

fn fence(sorted: &[f64]) -> [f64; 2] {
    let Some(last) = sorted.len().checked_sub(1) else { return [0.0, 1.0] };
    let tenth = |k: usize| sorted[k * last / 10];
    let width = tenth(9) - tenth(1);
    if width > 0.0 {
        [tenth(1) - REACH * width, tenth(9) + REACH * width]
    } else {
        [sorted[0], sorted[last]]
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn an_outlier_is_left_out_unless_it_must_be_seen() {
        let values = || (0..40).map(f64::from).chain([1e300]);
        assert!(range(values(), &[])[1] < 50.0);
        assert!(range(values(), &[200.0])[1] > 200.0);
        assert!(range([7.0, 7.0, 9.0].into_iter(), &[])[1] > 9.0);
        assert_eq!(range(std::iter::empty(), &[]), [-0.04, 1.04]);
    }
}
