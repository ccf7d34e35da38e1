//! The best point of an expansion within a box.

use super::taylor::{Gradients, Taylor};
use crate::minimize::{Effort, Smooth, minimize, minimize_constrained};
use crate::policy::score::{Rank, Score, Slope};

/// A constraint's lower bound this close to 0 is at its kink.
const AT_KINK: f64 = 1e-6;
/// Tolerances are on the projected gradient for a smooth score, on the value for a kinked one.
const SMOOTH: Effort = Effort { iterations: 40, tolerance: 1e-8 };
const KINKED: Effort = Effort { iterations: 40, tolerance: 1e-9 };

/// The best point of `taylor` between `low` and `high`, and the rank the expansion gives it; never worse
/// than where it was expanded.
pub(super) fn polish(
    taylor: &Taylor,
    score: &Score,
    low: &[f64],
    high: &[f64],
) -> (Vec<f64>, Rank) {
    let mut best = (taylor.at.clone(), taylor.rank);
    if taylor.at.is_empty() {
        return best;
    }
    let mut keep = |x: Vec<f64>| {
        let rank = score.rank(&taylor.estimate(&x));
        if rank.beats(best.1) {
            best = (x, rank);
        }
    };
    let kinks: Vec<usize> = match score.hinges() {
        Some(weights) => (1..=weights.len()).filter(|i| weights[i - 1] > 0.0).collect(),
        None => Vec::new(),
    };
    let local = Local { taylor, score, low, high, kinks };
    if local.kinks.is_empty() {
        keep(local.climb(&taylor.at));
    } else if taylor.rank.violation > 0.0 {
        // First into the set where the hard constraints hold, then up.
        let inside = local.least_violation();
        keep(local.climb_along_kinks(&inside));
        keep(inside);
    } else {
        let end = local.climb_along_kinks(&taylor.at);
        if local.is_smooth_at(&end) {
            // Away from the kinks the plain gradient converges best; at one it would only thrash.
            keep(local.climb(&end));
        }
        keep(end);
    }
    best
}

struct Local<'a> {
    taylor: &'a Taylor,
    score: &'a Score,
    low: &'a [f64],
    high: &'a [f64],
    /// The constraints whose hinge has a weight, counted from 1.
    kinks: Vec<usize>,
}

impl Local<'_> {
    /// Derivatives in mean and deviation, as a gradient.
    fn along(gradients: &Gradients, mean: f64, deviation: f64) -> Vec<f64> {
        let [means, deviations] = gradients;
        means.iter().zip(deviations).map(|(m, s)| mean * m + deviation * s).collect()
    }

    /// Of minus a function with these slopes in every output.
    fn gradient(slopes: &[Slope], outputs: &[Gradients]) -> Vec<f64> {
        let mut gradient = Self::along(&outputs[0], -slopes[0].mean, -slopes[0].deviation);
        for (slope, parts) in slopes.iter().zip(outputs).skip(1) {
            if *slope != Slope::default() {
                let part = Self::along(parts, -slope.mean, -slope.deviation);
                gradient.iter_mut().zip(part).for_each(|(g, p)| *g += p);
            }
        }
        gradient
    }

    /// Whether no kink is near.
    fn is_smooth_at(&self, x: &[f64]) -> bool {
        let at = self.taylor.estimate(x);
        self.kinks.iter().all(|i| self.score.lower(&at, *i).abs() > AT_KINK)
    }

    /// A smooth score: L-BFGS-B on its own gradient.
    fn climb(&self, start: &[f64]) -> Vec<f64> {
        let cost = |x: &[f64], gradient: &mut [f64]| {
            let (at, slopes_of) = self.taylor.estimate_with_gradient(x);
            gradient.copy_from_slice(&Self::gradient(&self.score.slopes(&at), &slopes_of));
            -self.score.rank(&at).value
        };
        minimize(cost, start, self.low, self.high, SMOOTH).x
    }

    /// $\max \hat f(x) - \sum_i s_i$ subject to $w_i\check g_i(x) \le s_i$, $s_i \ge 0$: the score without
    /// its kinks, in units where no weight is large. A hard constraint has weight 1 and no $s_i$.
    fn climb_along_kinks(&self, start: &[f64]) -> Vec<f64> {
        let weights = self.score.hinges().unwrap_or(&[]);
        let soft: Vec<usize> =
            self.kinks.iter().copied().filter(|i| weights[i - 1].is_finite()).collect();
        let dims = start.len();
        let at = self.taylor.estimate(start);
        let slack = |i: &usize| weights[i - 1] * self.score.lower(&at, *i).max(0.0);
        let start: Vec<f64> = start.iter().copied().chain(soft.iter().map(slack)).collect();
        let (mut low, mut high) = (self.low.to_vec(), self.high.to_vec());
        low.resize(start.len(), 0.0);
        high.resize(start.len(), f64::INFINITY);
        let function = |v: &[f64]| {
            let (x, slack) = v.split_at(dims);
            let (at, parts) = self.taylor.estimate_with_gradient(x);
            let bands = self.score.bands();
            let mut gradient = Self::gradient(&self.score.smooth_slopes(&at), &parts);
            gradient.resize(v.len(), 1.0);
            let penalty: f64 = slack.iter().sum();
            let mut smooth = Smooth {
                value: penalty - self.score.smooth(&at),
                gradient,
                constraints: Vec::new(),
                jacobian: Vec::new(),
            };
            for i in &self.kinks {
                let place = soft.iter().position(|s| s == i);
                let weight = place.map_or(1.0, |_| weights[i - 1]);
                let slope = bands[*i].slope(at[*i].deviation);
                let mut row = Self::along(&parts[*i], weight, -weight * slope);
                row.resize(v.len(), 0.0);
                place.iter().for_each(|p| row[dims + p] = -1.0);
                let excess = weight * self.score.lower(&at, *i);
                smooth.constraints.push(excess - place.map_or(0.0, |p| slack[p]));
                smooth.jacobian.push(row);
            }
            smooth
        };
        let end = minimize_constrained(function, self.kinks.len(), &start, &low, &high, KINKED);
        end[..dims].to_vec()
    }

    /// $\min s$ subject to $\check g_i(x) \le s$: towards the set where every hard constraint holds.
    fn least_violation(&self) -> Vec<f64> {
        let mut start = self.taylor.at.clone();
        let dims = start.len();
        let at = self.taylor.estimate(&start);
        start.push(self.kinks.iter().map(|i| self.score.lower(&at, *i)).fold(f64::MIN, f64::max));
        let (mut low, mut high) = (self.low.to_vec(), self.high.to_vec());
        // A little below zero is inside: no need to go on.
        low.push(-1e-6);
        high.push(f64::INFINITY);
        let function = |v: &[f64]| {
            let (at, parts) = self.taylor.estimate_with_gradient(&v[..dims]);
            let mut gradient = vec![0.0; dims];
            gradient.push(1.0);
            let row = |i: &usize| {
                let slope = self.score.bands()[*i].slope(at[*i].deviation);
                let mut row = Self::along(&parts[*i], 1.0, -slope);
                row.push(-1.0);
                row
            };
            let excess = |i: &usize| self.score.lower(&at, *i) - v[dims];
            Smooth {
                value: v[dims],
                gradient,
                constraints: self.kinks.iter().map(excess).collect(),
                jacobian: self.kinks.iter().map(row).collect(),
            }
        };
        let end = minimize_constrained(function, self.kinks.len(), &start, &low, &high, KINKED);
        end[..dims].to_vec()
    }
}
