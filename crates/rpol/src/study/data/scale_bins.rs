//! Settings that lie close together count as one when the unit of an output is chosen.
//!
//! The unit of an output is the median and the interquartile range over such groups, not over
//! trials: repeats of one setting would shrink the spread to the noise as play converges. A
//! constraint's spread is at least half its distance from the limit. Where all groups agree the
//! unit under a promise is the value itself, so that no scaling of a metric changes a decision.

use serde::{Deserialize, Serialize};

/// A setting less than this away from the first of a place, in every coordinate, belongs to it.
const NEAR: f64 = 0.1;
/// The most places: once they are all known, a setting that is near none belongs to the nearest.
const MOST: usize = 4096;

/// Mean values of places, in the order of their first settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct ScaleBins(Vec<ScaleBin>);

#[derive(Debug, Clone, Serialize, Deserialize)]
struct ScaleBin {
    x: Vec<f64>,
    mean: f64,
    count: f64,
}

impl ScaleBins {
    pub(in crate::study) fn note(&mut self, x: &[f64], value: f64) {
        let i = self.0.iter().position(|place| place.distance(x) < NEAR);
        let i = i.or_else(|| (self.0.len() >= MOST).then(|| self.nearest(x)));
        match i {
            Some(i) => self.0[i].note(value),
            None => self.0.push(ScaleBin { x: x.to_vec(), mean: value, count: 1.0 }),
        }
    }

    fn nearest(&self, x: &[f64]) -> usize {
        let distances: Vec<f64> = self.0.iter().map(|place| place.distance(x)).collect();
        let nearer = |a: usize, b: usize| if distances[b] < distances[a] { b } else { a };
        (0..distances.len()).reduce(nearer).unwrap_or(0)
    }

    pub(in crate::study) fn means(&self) -> Vec<f64> {
        self.0.iter().map(|place| place.mean).collect()
    }
}

impl ScaleBin {
    /// The largest difference of a coordinate.
    fn distance(&self, x: &[f64]) -> f64 {
        self.x.iter().zip(x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    fn note(&mut self, value: f64) {
        self.count += 1.0;
        // Divided first: two huge values may have no finite difference.
        self.mean += value / self.count - self.mean / self.count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_settings_are_one_place_and_places_are_bounded() {
        let mut bins = ScaleBins::default();
        bins.note(&[0.5, 0.5], 1.0);
        bins.note(&[0.55, 0.45], 3.0);
        bins.note(&[0.5, 0.61], 10.0);
        assert_eq!(bins.means(), [2.0, 10.0]);
        for i in 0..2 * MOST {
            bins.note(&[i as f64, 0.0], 0.0);
        }
        assert_eq!(bins.means().len(), MOST);
    }
}
