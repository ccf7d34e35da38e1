//! Local search in the continuous coordinates.

use super::{Beliefs, Pace};
use crate::error::Result;
use crate::minimize::{Effort, Smooth, minimize, minimize_constrained};
use crate::policy::score::{Estimate, Rank, Score};

/// A constraint's lower bound this close to 0 is at its kink.
const AT_KINK: f64 = 1e-6;

/// Tolerances are on the projected gradient for a smooth score, on the value for a kinked one.
/// A short climb still needs more rounds where there is more to learn of the curvature.
fn effort(pace: Pace, tolerance: f64, free: usize) -> Effort {
    match pace {
        Pace::Short => Effort { iterations: 4 + 4 * free as u64, tolerance: 1e-4 },
        Pace::Long => Effort { iterations: 60, tolerance },
    }
}

/// The best point reached from `start` by moving the `free` coordinates, and its rank; never worse than
/// the start.
pub(super) fn polish(
    beliefs: &impl Beliefs,
    score: &Score,
    start: &[f64],
    free: &[usize],
    pace: Pace,
) -> Result<(Vec<f64>, Rank)> {
    let begin = score.rank(&beliefs.estimate(start)?);
    let mut best = (start.to_vec(), begin);
    if free.is_empty() {
        return Ok(best);
    }
    let mut keep = |x: Vec<f64>| -> Result<()> {
        let rank = score.rank(&beliefs.estimate(&x)?);
        if rank.beats(best.1) {
            best = (x, rank);
        }
        Ok(())
    };
    let kinks: Vec<usize> = match score.hinges() {
        Some(weights) => (1..=weights.len()).filter(|i| weights[i - 1] > 0.0).collect(),
        None => Vec::new(),
    };
    let local = Local { beliefs, score, start, free, kinks, pace };
    if local.kinks.is_empty() {
        keep(local.climb())?;
    } else if begin.violation > 0.0 {
        // First into the set where the hard constraints hold, then up.
        let inside = local.least_violation();
        let onward = Local { start: &inside, ..local };
        keep(onward.climb_along_kinks())?;
        keep(inside.clone())?;
    } else {
        let end = local.climb_along_kinks();
        if pace == Pace::Long && local.is_smooth_at(&end) {
            // Away from the kinks the plain gradient converges best; at one it would only thrash.
            keep(Local { start: &end, ..local }.climb())?;
        }
        keep(end)?;
    }
    Ok(best)
}

struct Local<'a, L> {
    beliefs: &'a L,
    score: &'a Score,
    start: &'a [f64],
    free: &'a [usize],
    /// The constraints whose hinge has a weight, counted from 1.
    kinks: Vec<usize>,
    pace: Pace,
}

impl<L: Beliefs> Local<'_, L> {
    fn place(&self, moved: &[f64]) -> Vec<f64> {
        let mut x = self.start.to_vec();
        self.free.iter().zip(moved).for_each(|(d, v)| x[*d] = *v);
        x
    }

    fn free_start(&self) -> Vec<f64> {
        self.free.iter().map(|d| self.start[*d]).collect()
    }

    /// Beliefs, and for each output a function that turns derivatives in mean and deviation into a
    /// gradient over the free coordinates.
    fn look(&self, x: &[f64]) -> Option<(Vec<Estimate>, Gradients)> {
        let all = self.beliefs.estimate_with_gradient(x).ok()?;
        let (estimates, gradients) = all.into_iter().unzip();
        Some((estimates, gradients))
    }

    fn along(&self, gradients: &[Vec<f64>; 2], mean: f64, deviation: f64) -> Vec<f64> {
        let entry = |d: &usize| mean * gradients[0][*d] + deviation * gradients[1][*d];
        self.free.iter().map(entry).collect()
    }

    /// Whether no kink is near.
    fn is_smooth_at(&self, x: &[f64]) -> bool {
        let at = self.beliefs.estimate(x).unwrap_or_default();
        !at.is_empty() && self.kinks.iter().all(|i| self.score.lower(&at, *i).abs() > AT_KINK)
    }

    /// A smooth score: L-BFGS-B on its own gradient.
    fn climb(&self) -> Vec<f64> {
        let dims = self.free.len();
        let cost = |moved: &[f64], gradient: &mut [f64]| {
            let Some((at, slopes_of)) = self.look(&self.place(moved)) else { return f64::NAN };
            gradient.fill(0.0);
            for (slope, parts) in self.score.slopes(&at).iter().zip(&slopes_of) {
                let part = self.along(parts, -slope.mean, -slope.deviation);
                gradient.iter_mut().zip(part).for_each(|(g, p)| *g += p);
            }
            -self.score.rank(&at).value
        };
        let end = minimize(
            cost,
            &self.free_start(),
            &vec![0.0; dims],
            &vec![1.0; dims],
            effort(self.pace, 1e-9, dims),
        );
        self.place(&end.x)
    }

    /// $\max \hat f(x) - \sum_i s_i$ subject to $w_i\check g_i(x) \le s_i$, $s_i \ge 0$: the score without
    /// its kinks, in units where no weight is large. A hard constraint has weight 1 and no $s_i$.
    fn climb_along_kinks(&self) -> Vec<f64> {
        let weights = self.score.hinges().unwrap_or(&[]);
        let soft: Vec<usize> =
            self.kinks.iter().copied().filter(|i| weights[i - 1].is_finite()).collect();
        let dims = self.free.len();
        let mut start = self.free_start();
        let at = self.beliefs.estimate(self.start).unwrap_or_default();
        start.extend(soft.iter().map(|i| {
            at.get(*i).map_or(0.0, |_| weights[i - 1] * self.score.lower(&at, *i).max(0.0))
        }));
        let mut high = vec![1.0; dims];
        high.resize(start.len(), f64::INFINITY);
        let function = |v: &[f64]| {
            let (moved, slack) = v.split_at(dims);
            let Some((at, parts)) = self.look(&self.place(moved)) else {
                return wall(v.len(), self.kinks.len());
            };
            let bands = self.score.bands();
            let mut gradient = self.along(&parts[0], -1.0, -bands[0].slope(at[0].deviation));
            gradient.resize(v.len(), 1.0);
            let penalty: f64 = slack.iter().sum();
            let mut smooth = Smooth {
                value: penalty - self.score.upper(&at),
                gradient,
                constraints: Vec::new(),
                jacobian: Vec::new(),
            };
            for i in &self.kinks {
                let place = soft.iter().position(|s| s == i);
                let weight = place.map_or(1.0, |_| weights[i - 1]);
                let slope = bands[*i].slope(at[*i].deviation);
                let mut row = self.along(&parts[*i], weight, -weight * slope);
                row.resize(v.len(), 0.0);
                place.iter().for_each(|p| row[dims + p] = -1.0);
                let excess = weight * self.score.lower(&at, *i);
                smooth.constraints.push(excess - place.map_or(0.0, |p| slack[p]));
                smooth.jacobian.push(row);
            }
            smooth
        };
        let low = vec![0.0; start.len()];
        let end = minimize_constrained(
            function,
            self.kinks.len(),
            &start,
            &low,
            &high,
            effort(self.pace, 1e-11, dims),
        );
        self.place(&end[..dims])
    }

    /// $\min s$ subject to $\check g_i(x) \le s$: towards the set where every hard constraint holds.
    fn least_violation(&self) -> Vec<f64> {
        let dims = self.free.len();
        let mut start = self.free_start();
        let at = self.beliefs.estimate(self.start).unwrap_or_default();
        start.push(self.kinks.iter().map(|i| self.score.lower(&at, *i)).fold(f64::MIN, f64::max));
        let (mut low, mut high) = (vec![0.0; dims], vec![1.0; dims]);
        // A little below zero is inside: no need to go on.
        low.push(-1e-6);
        high.push(f64::INFINITY);
        let function = |v: &[f64]| {
            let (moved, s) = (&v[..dims], v[dims]);
            let Some((at, parts)) = self.look(&self.place(moved)) else {
                return wall(v.len(), self.kinks.len());
            };
            let mut gradient = vec![0.0; dims];
            gradient.push(1.0);
            let row = |i: &usize| {
                let slope = self.score.bands()[*i].slope(at[*i].deviation);
                let mut row = self.along(&parts[*i], 1.0, -slope);
                row.push(-1.0);
                row
            };
            Smooth {
                value: s,
                gradient,
                constraints: self.kinks.iter().map(|i| self.score.lower(&at, *i) - s).collect(),
                jacobian: self.kinks.iter().map(row).collect(),
            }
        };
        let end = minimize_constrained(
            function,
            self.kinks.len(),
            &start,
            &low,
            &high,
            effort(self.pace, 1e-11, dims),
        );
        self.place(&end[..dims])
    }
}

type Gradients = Vec<[Vec<f64>; 2]>;

fn wall(variables: usize, constraints: usize) -> Smooth {
    Smooth {
        value: f64::NAN,
        gradient: vec![0.0; variables],
        constraints: vec![0.0; constraints],
        jacobian: vec![vec![0.0; variables]; constraints],
    }
}
