//! Beliefs around a point, to second order: what a local search walks on between two looks at the model.
//!
//! A local search runs on the expansion, at a few microseconds per step, and expands again where it
//! ends. The first expansions of all starts are one batch of solves.
//!
//! A long step along a ridge ends a little beside it, where a large penalty hides the gain, and a
//! plain trust region creeps. So two points are compared by the height of the ridge: each is first
//! put back onto the kink, by its expansion.

use super::{Beliefs, Found, How};
use crate::error::Result;
use crate::gp::Expansion;
use crate::policy::score::{Estimate, Rank, Score};

/// Every output around a point, along the coordinates a local search may move.
#[derive(Debug, Clone)]
pub(super) struct Taylor {
    /// The point, in all its coordinates.
    pub(super) x: Vec<f64>,
    /// Its free coordinates.
    pub(super) at: Vec<f64>,
    pub(super) outputs: Vec<Expansion>,
    pub(super) rank: Rank,
}

/// Gradients of mean and deviation.
pub(super) type Gradients = [Vec<f64>; 2];

impl Taylor {
    /// Around each of `points`, along the coordinates `free`.
    pub(super) fn expand(
        beliefs: &impl Beliefs,
        score: &Score,
        points: Vec<Vec<f64>>,
        free: &[usize],
    ) -> Result<Vec<Self>> {
        let expansions = beliefs.standard_expand(&points, free)?;
        let taylor = |(x, outputs): (Vec<f64>, Vec<Expansion>)| {
            let at = free.iter().map(|d| x[*d]).collect();
            let rank = Rank { violation: 0.0, value: 0.0 };
            let mut taylor = Self { x, at, outputs, rank };
            taylor.rank = score.rank(&taylor.estimate(&taylor.at));
            taylor
        };
        Ok(points.into_iter().zip(expansions).map(taylor).collect())
    }

    /// The point itself, as the end of a search.
    pub(super) fn found(&self) -> Found {
        let at = Some(self.estimate(&self.at));
        Found { x: self.x.clone(), at, rank: self.rank, how: How::Polished }
    }

    fn step(&self, to: &[f64]) -> Vec<f64> {
        to.iter().zip(&self.at).map(|(to, at)| to - at).collect()
    }

    /// What is believed where the free coordinates are `to`.
    pub(super) fn estimate(&self, to: &[f64]) -> Vec<Estimate> {
        let step = self.step(to);
        let estimate = |output: &Expansion| Estimate {
            mean: output.mean.at(&step),
            deviation: output.variance.at(&step).max(0.0).sqrt(),
        };
        self.outputs.iter().map(estimate).collect()
    }

    /// As [`estimate`](Self::estimate), with gradients.
    pub(super) fn estimate_with_gradient(&self, to: &[f64]) -> (Vec<Estimate>, Vec<Gradients>) {
        let (step, at) = (self.step(to), self.estimate(to));
        let gradients = |(output, at): (&Expansion, &Estimate)| {
            let per = if at.deviation > 0.0 { 0.5 / at.deviation } else { 0.0 };
            [
                output.mean.slope(&step).collect(),
                output.variance.slope(&step).map(|slope| per * slope).collect(),
            ]
        };
        let gradients = self.outputs.iter().zip(&at).map(gradients).collect();
        (at, gradients)
    }

    /// The rank of the nearest point of the ridge: where the constraints whose kink has been passed are
    /// met again, by the expansion.
    pub(super) fn restored(&self, score: &Score) -> Rank {
        let Some(weights) = score.hinges() else { return self.rank };
        let mut x = self.at.clone();
        let kinks = (1..=weights.len()).filter(|i| weights[i - 1] > 0.0);
        // Twice: meeting one may have moved off another, and they are curved.
        for i in kinks.clone().chain(kinks) {
            let (at, gradients) = self.estimate_with_gradient(&x);
            let excess = score.lower(&at, i);
            let slope = score.bands()[i].slope(at[i].deviation);
            let [mean, deviation] = &gradients[i];
            let normal: Vec<f64> = mean.iter().zip(deviation).map(|(m, s)| m - slope * s).collect();
            let square: f64 = normal.iter().map(|v| v * v).sum();
            if excess > 0.0 && square > 0.0 {
                x.iter_mut().zip(&normal).for_each(|(x, n)| {
                    *x = (*x - n * excess / square).clamp(0.0, 1.0);
                });
            }
        }
        let rank = score.rank(&self.estimate(&x));
        if rank.beats(self.rank) { rank } else { self.rank }
    }
}
