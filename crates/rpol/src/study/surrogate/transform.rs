//! Which function of its metric a limit is modelled as, and in which unit.
//!
//! A limit is modelled as $g$, as the logarithm of the metric over its limit (where both are
//! positive), as the bilog with the baseline's distance as its unit, or by a function that
//! saturates (`gp/warp.rs`). The transform with the largest evidence at its fitted hyper-parameters
//! is used, with the Jacobian $\sum\ln w'(g)$, without which evidences cannot be compared. The
//! choice is made from 6 values on and again when their number has doubled; before, it is the
//! logarithm where there is one. A metric that is exactly at its limit while all is well, such as a
//! count of errors that must be 0, gets a jump there.
//!
//! Values beyond three of the baseline's distances count as three, and the objective is clipped to
//! three ranges beyond what was seen within the limits. Noise is Gaussian after the transform;
//! there is no Student-t likelihood.
//!
//! *Unit of a limit from a baseline.* The unit is at least the baseline's distance from the limit,
//! and the prior mean is the limit itself, with a signal deviation of at least one unit. So where
//! nothing was measured the probability of keeping it is about one half. Where all values agree and
//! the baseline is at the limit, the limit's own size is the unit.

use super::context::Context;
use crate::constraint::{Direction, Threshold};
use crate::error::Result;
use crate::gp::{Scale, Shape, Warp};
use crate::study::data::visible::{View, believed};
use crate::study::log::trial::Trial;

/// With fewer values no transform is told from another.
const FEW: usize = 6;
/// Distances of the baseline from its limit beyond which a violation counts no further.
const CLIPPED: f64 = 3.0;
/// A metric below this share of its limit has no useful logarithm.
const SMALL: f64 = 0.02;

impl Context<'_> {
    /// The transforms of an output that its values are to choose between, the first of equals.
    ///
    /// A change of it would make the sums over compacted trials wrong, so none comes once there are any.
    pub(in crate::study) fn rivals(&self, view: &View<'_>, q: usize) -> Vec<Warp> {
        let limits = 1..=self.spec.constraints.len();
        // Before anything is known that keeps the limits, how far one is broken is all there is to go by.
        let guided = self.plan.guards() && self.spec.baseline.is_some();
        if !guided || q > self.spec.constraints.len() {
            return vec![Warp::default()];
        }
        let used = self.state.fitted.as_ref().map(|fitted| fitted[q].warp);
        if self.state.compacted.trials > 0 {
            return vec![used.unwrap_or_default()];
        }
        if !limits.contains(&q) {
            return vec![self.clipped_objective(view)];
        }
        let values = self.values_in_sight(view, q);
        let shapes = self.shapes(&values, q, used.map(|warp| warp.shape));
        let clipped = |shape: Shape| Warp { most: self.most(shape, q), ..shape.into() };
        shapes.into_iter().map(clipped).collect()
    }

    /// The objective within reach of what it was where every limit was kept: how good or bad it is beyond the limits, where a
    /// system may run away, says nothing of where it is to be.
    fn clipped_objective(&self, view: &View<'_>) -> Warp {
        let told = self.in_sight(view).filter(|trial| view.visible_value(trial, 0).is_some());
        let kept = told.filter(|trial| trial.is_feasible() == Some(true));
        let value = |trial: &Trial| Some(believed(self.plan, trial, 0, trial.values[0]?.value));
        let kept: Vec<f64> = kept.filter_map(value).collect();
        let low = kept.iter().copied().fold(f64::INFINITY, f64::min);
        let high = kept.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let reach = CLIPPED * (high - low);
        if kept.len() < 3 || !(reach.is_finite() && reach > 0.0) {
            return Warp::default();
        }
        Warp { shape: Shape::Identity, most: Some(high + reach), least: Some(low - reach) }
    }

    fn shapes(&self, values: &[f64], q: usize, used: Option<Shape>) -> Vec<Shape> {
        if values.contains(&0.0) && !values.iter().any(|g| *g < 0.0) {
            return vec![Shape::Jump { unit: self.step(values, q) }];
        }
        let log = self.log_ratio(values, q);
        if values.len() < FEW {
            return vec![log.unwrap_or_default()];
        }
        // As often as the number of values doubles.
        let doubled = |n: usize| n.next_power_of_two();
        let last = self.state.fitted_on as usize;
        if last >= FEW && doubled(last) == doubled(values.len()) {
            // A metric that has become 0 has no logarithm any more.
            let usable = |shape: &Shape| !matches!(shape, Shape::Log { .. }) || log.is_some();
            return vec![used.filter(usable).unwrap_or_default()];
        }
        let unit = self.reach(values, q);
        let others = [Shape::Identity, Shape::Bilog { unit }, Shape::Saturating { unit }];
        log.into_iter().chain(others).collect()
    }

    /// Where values end to count: a number of the baseline's distances beyond the limit.
    fn most(&self, shape: Shape, q: usize) -> Option<f64> {
        let distance = Warp::from(shape).apply(self.baseline_cost(q)?).abs();
        Some(CLIPPED * distance).filter(|most| most.is_normal())
    }

    /// Values of an output that a decision sees, as they were told.
    fn values_in_sight(&self, view: &View<'_>, q: usize) -> Vec<f64> {
        let told = self.in_sight(view).filter(|trial| view.visible_value(trial, q).is_some());
        told.filter_map(|trial| trial.values[q].map(|arrival| arrival.value)).collect()
    }

    /// The logarithm of a metric over its limit, where both are above 0 and so was every value.
    fn log_ratio(&self, values: &[f64], q: usize) -> Option<Shape> {
        let limit = self.signed_limit(q)?;
        let positive = |g: &f64| 1.0 + g / limit > SMALL;
        values.iter().all(positive).then_some(Shape::Log { limit })
    }

    /// The limit of a positive metric, negative for "at least".
    fn signed_limit(&self, q: usize) -> Option<f64> {
        let constraint = &self.spec.constraints[q - 1];
        let baseline = self.state.baseline.get(constraint.metric()).copied();
        let limit = constraint.threshold().at(baseline).filter(|limit| *limit > 0.0)?;
        Some(match constraint.direction() {
            Direction::AtMost => limit,
            Direction::AtLeast => -limit,
        })
    }

    /// A distance from the limit that is typical of the values: the baseline's, where there is one.
    fn reach(&self, values: &[f64], q: usize) -> f64 {
        let baseline = self.baseline_cost(q).map(f64::abs).filter(|distance| *distance > 0.0);
        baseline.unwrap_or_else(|| self.step(values, q))
    }

    /// The median of the distances that are not 0; where all are, the limit itself, and where that is 0 too any number.
    fn step(&self, values: &[f64], q: usize) -> f64 {
        let mut apart: Vec<f64> = values.iter().map(|g| g.abs()).filter(|g| *g > 0.0).collect();
        apart.sort_by(f64::total_cmp);
        let limit = match self.spec.constraints[q - 1].threshold() {
            Threshold::Fixed(limit) | Threshold::TimesBaseline(limit) => limit.abs(),
        };
        let limit = Some(limit).filter(|limit| *limit > 0.0).unwrap_or(1.0);
        apart.get(apart.len() / 2).copied().filter(|g| g.is_normal()).unwrap_or(limit)
    }

    /// $g$ of the baseline as it was measured last, as far as it is known.
    pub(in crate::study) fn baseline_cost(&self, q: usize) -> Option<f64> {
        let constraint = self.spec.constraints.get(q - 1)?;
        let first = self.state.baseline.get(constraint.metric()).copied()?;
        let today = self.state.baseline_today.get(constraint.metric()).copied();
        constraint.g(today.unwrap_or(first), Some(first))
    }

    /// The unit of a limit under a promise: at least the baseline's distance from it, so that the limit is within reach of
    /// the prior wherever nothing was measured, and its zero the limit itself, so that no place is held for safe before
    /// something near it was. `spread` is that of the values.
    pub(in crate::study) fn guarded_scale(
        &self,
        view: &View<'_>,
        q: usize,
        spread: f64,
    ) -> Result<Scale> {
        let warp = view.fitted[q].warp;
        let values = self.values_in_sight(view, q);
        let distance = self.baseline_cost(q).map(|g| warp.apply(g).abs()).filter(|d| d.is_normal());
        let spread = spread.max(distance.unwrap_or(0.0));
        let spread = if spread > 0.0 { spread } else { warp.apply(self.reach(&values, q)).abs() };
        Ok(Scale { centre: 0.0, spread })
    }
}
