//! A bound on the number of compacted settings: the nearest are merged.
//!
//! `model.distinct` bounds the settings (1,024 when left out). Beyond it, of every new compacted
//! setting and its nearest one, the nearest pair is merged. The distance is
//! $\sqrt{k(x,x) + k(y,y) - 2k(x,y)}$ over $\sqrt{k(x,x)}$, the largest of all outputs, under the current kernels. The
//! setting with fewer trials gives its measurements to the other. With $r = k(x,x)/k(x,y)$ a
//! measurement at $y$ with noise $n$ counts at $x$ with noise $r^2n + r^2k(y,y) - k(x,x)$: that
//! leaves $\sigma(x)$ as the measurement at $y$ made it, and no smaller. The part that comes from
//! the distance is common to all measurements from $y$, so it is not divided by their number; of
//! several givers the farthest counts. The largest distance, summed where a setting was merged more
//! than once, is the error bound that `status` reports.

use super::Compacted;
use crate::gp::Scale;
use crate::kernel::{Covariance, Kernel, KernelRow};
use crate::points::Points;
use crate::study::data::stats::Distance;
use crate::study::data::table::SettingTable;
use crate::study::log::event::Fitted;
use serde::{Deserialize, Serialize};

/// What was merged to keep a study's settings few, and how wrong that can be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Merged {
    /// How many settings were merged into others.
    pub settings: u64,
    /// How far a setting was at most from the one that stands for it: the deviation of the difference of an output at the two
    /// before anything was measured, over that of the output itself; of all outputs the largest.
    pub largest: f64,
}

/// The setting nearest to a new one.
#[derive(Debug, Clone, Copy)]
struct Near {
    place: usize,
    distance: f64,
}

impl Compacted {
    /// Merges settings until there are at most `most`: each time a new one, from place `known` on, and the one nearest to
    /// it, of all such pairs the nearest.
    pub(in crate::study) fn thin(&mut self, most: usize, known: usize, fitted: &[Fitted]) {
        let count = self.table.len();
        if count <= most {
            return;
        }
        let metric = Metric::new(&self.table, fitted);
        let mut kept = vec![true; count];
        let mut nearest: Vec<Option<Near>> =
            (0..count).map(|i| (i >= known).then(|| metric.nearest(i, &kept)).flatten()).collect();
        for _ in most..count {
            let pairs = (known..count).filter_map(|i| nearest[i].map(|near| (i, near)));
            let closest = pairs.reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
            let Some((i, near)) = closest else { break };
            let (giver, taker) = self.roles(i, near.place);
            self.merge(giver, taker, near.distance, &metric, fitted);
            kept[giver] = false;
            nearest[giver] = None;
            for j in known..count {
                if nearest[j].is_some_and(|near| near.place == giver) {
                    nearest[j] = metric.nearest(j, &kept);
                }
            }
        }
        self.table.retain(&kept);
    }

    /// The one with fewer trials gives, of equals the later one.
    fn roles(&self, a: usize, b: usize) -> (usize, usize) {
        let (early, late) = (a.min(b), a.max(b));
        let trials = |place: usize| self.table.rows()[place].trials;
        if trials(early) < trials(late) { (early, late) } else { (late, early) }
    }

    fn merge(
        &mut self,
        giver: usize,
        taker: usize,
        distance: f64,
        metric: &Metric<'_>,
        fitted: &[Fitted],
    ) {
        let reach = self.table.give(giver, taker, distance, |q, taken, given| {
            // Failing is gathered before it is modelled: until then its labels add up with those of the nearest setting.
            let (of, modelled) = (q.min(fitted.len() - 1), q < fitted.len());
            let known = Fitted { noise: 1.0, scale: Scale::default(), ..fitted[of].clone() };
            let like = if modelled { &fitted[of] } else { &known };
            taken.take_over(given, like, metric.distance(of, taker, giver));
        });
        let merged = self.merged.get_or_insert(Merged { settings: 0, largest: 0.0 });
        merged.settings += 1;
        merged.largest = merged.largest.max(reach);
    }
}

/// How much the outputs of two settings are expected to differ.
struct Metric<'a> {
    kernels: Vec<&'a Kernel>,
    points: Points,
    /// $k(x, x)$ of every output at every point.
    priors: Vec<Vec<f64>>,
}

impl<'a> Metric<'a> {
    fn new(table: &SettingTable, fitted: &'a [Fitted]) -> Self {
        let rows: Vec<&[f64]> = table.rows().iter().map(|row| &*row.x).collect();
        let points = Points::from_rows(rows.first().map_or(0, |x| x.len()), &rows);
        let kernels: Vec<&Kernel> = fitted.iter().map(|fitted| &fitted.kernel).collect();
        let prior = |kernel: &&Kernel| rows.iter().map(|x| kernel.diagonal(x)).collect();
        let priors = kernels.iter().map(prior).collect();
        Self { kernels, points, priors }
    }

    fn distance(&self, q: usize, here: usize, there: usize) -> Distance {
        let (x, y) = (self.points.point(here), self.points.point(there));
        let between = self.kernels[q].value(&x, &y);
        Distance::new(self.priors[q][here], self.priors[q][there], between)
    }

    /// The nearest of the others that are kept; of equals the earliest.
    fn nearest(&self, i: usize, kept: &[bool]) -> Option<Near> {
        let x = self.points.point(i);
        let mut distances = vec![0f64; self.points.len()];
        let mut row = distances.clone();
        for (kernel, prior) in self.kernels.iter().zip(&self.priors) {
            kernel.row(KernelRow::new(&x, self.points.view()), &mut row);
            for (j, distance) in distances.iter_mut().enumerate() {
                let apart = deviation(prior[i], prior[j], row[j]);
                *distance = distance.max(apart / prior[i].sqrt().max(f64::MIN_POSITIVE));
            }
        }
        let others = (0..distances.len()).filter(|j| *j != i && kept[*j]);
        let near = others.map(|place| Near { place, distance: distances[place] });
        near.reduce(|a, b| if b.distance < a.distance { b } else { a })
    }
}

/// $\sqrt{k(x,x) + k(y,y) - 2k(x,y)}$.
fn deviation(own: f64, other: f64, between: f64) -> f64 {
    (own + other - 2.0 * between).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted() -> [Fitted; 1] {
        let kernel = Kernel::matern52([0.3]);
        let (warp, scale) = Default::default();
        [Fitted { kernel, noise: 0.1, warp, scale, degraded: None }]
    }

    /// Settings that are left of those at these places, each with its number of trials, the last two new.
    fn left(rows: &[(f64, u64)]) -> Vec<u64> {
        let mut compacted = Compacted::new(0);
        for (point, (x, trials)) in (0..).zip(rows) {
            for _ in 0..*trials {
                compacted.table.visit(point, &[*x])[0].note(1.0, None, 1.0, 1.0);
            }
        }
        compacted.thin(rows.len() - 1, rows.len() - 2, &fitted());
        assert_eq!(compacted.merged.map(|merged| merged.settings), Some(1));
        compacted.table.rows().iter().map(|row| row.point).collect()
    }

    #[test]
    fn of_the_nearest_two_the_one_with_fewer_trials_gives() {
        assert_eq!(left(&[(0.1, 1), (0.5, 2), (0.52, 1), (0.9, 1)]), [0, 1, 3]);
        assert_eq!(left(&[(0.1, 1), (0.5, 2), (0.52, 5), (0.9, 1)]), [0, 2, 3]);
        assert_eq!(left(&[(0.1, 1), (0.5, 2), (0.52, 2), (0.9, 1)]), [0, 1, 3]);
        // Two that are new, and old ones that are nearer to each other but not looked at.
        assert_eq!(left(&[(0.1, 1), (0.101, 1), (0.5, 3), (0.52, 1)]), [0, 1, 2]);
    }
}
