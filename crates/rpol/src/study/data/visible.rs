//! How one decision sees the values of trials.
//!
//! Under a promise a value of the objective counts no farther than four deviations from the
//! forecast recorded with its decision, once that forecast rests on eight values: one unusual value
//! must not make a whole neighbourhood look bad. This is a fold over the log, without iterations. A
//! limit's value is not cut so: it may be a cliff.

use super::table::SettingTable;
use crate::strategy::{Memory, Target};
use crate::study::log::event::Fitted;
use crate::study::log::trial::Trial;
use crate::study::spec::plan::Plan;

/// Deviations from its forecast beyond which a value of the objective says no more: one in 16,000 where forecasts are right.
const OUTLYING: f64 = 4.0;

/// A value as the models take it. Of the objective none is farther from its forecast than some deviations: a bill of ten
/// times the usual, once, has another cause. A limit's value is taken at its word: what breaks one may be a cliff.
pub(in crate::study) fn believed(plan: &Plan, trial: &Trial, q: usize, value: f64) -> f64 {
    let forecast = trial.decision.as_ref().and_then(|decision| decision.forecast.get(q));
    let forecast = forecast.filter(|f| q == 0 && plan.guards() && f.values >= SETTLED);
    forecast.map_or(value, |forecast| forecast.nearest(value, OUTLYING))
}

/// Values that a forecast must rest on for this: with fewer the unit is unknown.
const SETTLED: u64 = 8;

/// What decision `t` needs to know to see.
pub(in crate::study) struct View<'a> {
    pub(in crate::study) plan: &'a Plan,
    pub(in crate::study) memory: &'a Memory,
    pub(in crate::study) t: u64,
    /// The fitted hyper-parameters of every output.
    pub(in crate::study) fitted: &'a [Fitted],
    /// Whether all values count alike, as in a fit.
    pub(in crate::study) alike: bool,
}

/// A value of an output as a decision sees it.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct VisibleValue {
    /// `None` while it is on its way.
    pub(in crate::study) value: Option<f64>,
    sem: Option<f64>,
    stretch: f64,
}

impl View<'_> {
    pub(in crate::study) fn visible_value(&self, trial: &Trial, q: usize) -> Option<VisibleValue> {
        let (warp, scale) = match self.fitted.get(q) {
            Some(fitted) => (fitted.warp, fitted.scale),
            // Failing is gathered from the first trial on: it may have to be modelled later.
            None if self.plan.guards() => Default::default(),
            None => return None,
        };
        let timing = trial.timing(q);
        if !trial.counts(q) || timing.asked < self.plan.policy.rule().data_from(self.t) {
            return None;
        }
        let sight = self.plan.strategy.learning().sees(self.memory, self.t, timing)?;
        let arrival = trial.values[q];
        let value = match sight.target {
            Target::Value => Some(warp.apply(believed(self.plan, trial, q, arrival?.value))),
            Target::Zero => Some(scale.centre),
            // What is pending makes no limit any better known.
            Target::Nothing if q > 0 && self.plan.policy.rule().is_practical() => {
                return None;
            }
            Target::Nothing => None,
        };
        let stretch = if self.alike { 1.0 } else { sight.stretch };
        let sem = arrival.and_then(|a| Some(a.sem? * warp.slope(a.value)));
        Some(VisibleValue { value, sem, stretch })
    }

    /// Adds what is seen of a trial.
    pub(in crate::study) fn gather(&self, trial: &Trial, table: &mut SettingTable) {
        let seen: Vec<Option<VisibleValue>> =
            (0..trial.values.len()).map(|q| self.visible_value(trial, q)).collect();
        if seen.iter().all(Option::is_none) {
            return;
        }
        let at = table.visit(trial.point, &trial.x);
        for (q, (seen, stats)) in seen.iter().zip(at).enumerate() {
            let Some(VisibleValue { value, sem, stretch }) = *seen else { continue };
            match value {
                Some(value) => {
                    let spread = self.fitted.get(q).map_or(1.0, |fitted| fitted.scale.spread);
                    stats.note(value, sem, stretch, spread);
                }
                None => stats.await_value(stretch),
            }
        }
        for (q, seen) in seen.iter().enumerate() {
            table.values[q] += u64::from(seen.is_some_and(|seen| seen.value.is_some()));
        }
    }
}
