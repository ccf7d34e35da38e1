//! The best point of an expansion within a box.

use super::augmented_lagrangian;
use super::expansion::Taylor;
use crate::minimize::{Effort, minimize};
use crate::policy::score::{Rank, Score};

/// The tolerance is on the projected gradient.
const SMOOTH: Effort = Effort { iterations: 40, tolerance: 1e-8, decrease: 0.0 };

/// The best point of `taylor` within `reach` and the unit cube, and the rank the expansion gives it; never worse
/// than where it was expanded, and at most `tolerance` of its size short of the best for a score with hinges.
pub(super) fn polish(
    taylor: &Taylor,
    score: &Score,
    reach: f64,
    tolerance: f64,
) -> (Vec<f64>, Rank) {
    let start = (taylor.at.clone(), taylor.rank);
    if taylor.at.is_empty() {
        return start;
    }
    let low: Vec<f64> = taylor.at.iter().map(|x| (x - reach).max(0.0)).collect();
    let high: Vec<f64> = taylor.at.iter().map(|x| (x + reach).min(1.0)).collect();
    let x = match score.hinges() {
        Some(_) => augmented_lagrangian::top(taylor, score, &low, &high, tolerance),
        None => climb(taylor, score, &low, &high),
    };
    let rank = score.rank(&taylor.estimate(&x));
    if rank.beats(start.1) { (x, rank) } else { start }
}

/// A score that is no sum of hinges: L-BFGS-B on its own gradient.
fn climb(taylor: &Taylor, score: &Score, low: &[f64], high: &[f64]) -> Vec<f64> {
    let cost = |x: &[f64], gradient: &mut [f64]| {
        let (at, parts) = taylor.estimate_with_gradient(x);
        gradient.fill(0.0);
        for (slope, [means, deviations]) in score.slopes(&at).iter().zip(&parts) {
            for (d, g) in gradient.iter_mut().enumerate() {
                *g -= slope.mean * means[d] + slope.deviation * deviations[d];
            }
        }
        -score.rank(&at).value
    };
    minimize(cost, &taylor.at, low, high, SMOOTH).x
}
