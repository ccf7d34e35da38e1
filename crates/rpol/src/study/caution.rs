//! The caution of each constraint at one decision.

use super::mind::Mind;
use crate::argmax::Beliefs;
use crate::confidence::{Band, Moment};
use crate::error::Result;
use crate::policy::Policy;
use crate::policy::cautious::{Cautious, MOST};

impl Mind {
    /// The caution of each constraint; empty for a policy without a dial. A budget turns it up as it is spent. Full
    /// caution needs a setting to stay at: before one is known, the most short of it.
    pub(super) fn cautions(&self) -> Result<Vec<f64>> {
        let Policy::Cautious(policy) = &self.plan.policy else { return Ok(Vec::new()) };
        let mut cautions: Vec<f64> = (0..self.spec.constraints.len())
            .map(|i| self.left_of_budget(i).map_or(policy.caution, |left| policy.with_left(left)))
            .collect();
        let full = |caution: &f64| *caution >= 1.0;
        if cautions.iter().any(full) && !self.knows_a_sure_setting(&cautions)? {
            cautions.iter_mut().filter(|c| full(c)).for_each(|caution| *caution = MOST);
        }
        Ok(cautions)
    }

    /// The share of a constraint's budget that is left, where it has one.
    fn left_of_budget(&self, i: usize) -> Option<f64> {
        let budget = self.spec.constraints[i].budget()?;
        let asked = self.state.trials.iter().filter(|trial| trial.decision.is_some());
        let spent: f64 = asked.filter_map(|t| t.values[i + 1]).map(|a| a.value.max(0.0)).sum();
        Some(if spent > 0.0 { 1.0 - spent / budget } else { 1.0 })
    }

    /// Whether there is a baseline, or a candidate that keeps every limit of full caution by its upper bound.
    fn knows_a_sure_setting(&self, cautions: &[f64]) -> Result<bool> {
        if self.spec.baseline.is_some() {
            return Ok(true);
        }
        let full: Vec<usize> = (0..cautions.len()).filter(|i| cautions[*i] >= 1.0).collect();
        let pooled = Beliefs::pooled(&self.models);
        let band = Cautious::surely(0.0);
        let kept = |j: usize, i: &usize| {
            let (means, deviations) = &pooled[i + 1];
            means[j] - band.reach(deviations[j]) <= 0.0
        };
        Ok((0..pooled[0].0.len()).any(|j| full.iter().all(|i| kept(j, i))))
    }

    /// The band of a constraint under this caution.
    pub(super) fn cautious_band(&self, caution: f64, band: Band, at: &Moment<'_>) -> Result<Band> {
        if caution < 1.0 {
            return Ok(Cautious::band(caution, band, at.t, at.output, at.noise));
        }
        // What is as sure as the baseline is sure enough: it is known to be good by other means.
        let room = match &self.spec.baseline {
            Some(baseline) => {
                let x = self.spec.params.encode(&baseline.params)?;
                let at_baseline = Beliefs::estimate(&self.models, &x)?[at.output];
                at_baseline.mean - Cautious::surely(0.0).reach(at_baseline.deviation)
            }
            None => 0.0,
        };
        Ok(Cautious::surely(room.max(0.0)))
    }
}
