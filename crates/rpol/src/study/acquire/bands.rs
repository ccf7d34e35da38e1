//! The caution of each constraint at one decision.
//!
//! A budget of which a share $l$ is left moves $c$ to $1 - (1-c)l$. A baseline is known to be good
//! by other means, so what is as sure as the baseline is sure enough at full caution.

use crate::acquisition::Beliefs;
use crate::confidence::{Band, Moment};
use crate::error::Result;
use crate::policy::cautious::Cautious;
use crate::study::surrogate::context::Context;

impl Context<'_> {
    /// The caution of each constraint; empty for a policy without a dial. A budget turns it up as it is spent. More than the
    /// default needs a setting to stay near: before one is known, caution would only keep the search from finding it.
    pub(in crate::study) fn cautions(&self) -> Vec<f64> {
        let from_baseline = self.spec.baseline.is_some();
        let Some(caution) = self.plan.policy.rule().caution(from_baseline) else {
            return Vec::new();
        };
        let policy = Cautious { caution };
        let wanted: Vec<f64> = (0..self.spec.constraints.len())
            .map(|i| self.left_of_budget(i).map_or(policy.caution, |left| policy.with_left(left)))
            .collect();
        let most = Cautious::most(self.sureness(&wanted));
        wanted.into_iter().map(|caution| caution.min(most)).collect()
    }

    /// The share of a constraint's budget that is left, where it has one.
    fn left_of_budget(&self, i: usize) -> Option<f64> {
        let budget = self.spec.constraints[i].budget()?;
        let spent = self.state.tally(self.spec, i + 1).total();
        Some(if spent > 0.0 { 1.0 - spent / budget } else { 1.0 })
    }

    /// How many deviations the surest candidate is within every limit that more than the default's caution is wanted
    /// for; a baseline is known to be good by other means.
    fn sureness(&self, cautions: &[f64]) -> f64 {
        let more = (1..=cautions.len()).filter(|q| cautions[q - 1] > Cautious::DEFAULT);
        let limits: Vec<(usize, f64)> = more.map(|q| (q, self.stretch(q))).collect();
        if limits.is_empty() || self.spec.baseline.is_some() {
            return f64::INFINITY;
        }
        let pooled = Beliefs::standard_pooled(self.models);
        let within = |j: usize, (q, stretch): &(usize, f64)| {
            let (means, deviations) = &pooled[*q];
            -means[j] / (stretch * deviations[j])
        };
        let least = |j: usize| limits.iter().map(|limit| within(j, limit)).fold(f64::MAX, f64::min);
        (0..pooled[0].0.len()).map(least).fold(f64::MIN, f64::max)
    }

    /// The band of a constraint under this caution; forecasts have to be stretched so much.
    pub(in crate::study) fn cautious_band(
        &self,
        caution: f64,
        band: Band,
        at: &Moment<'_>,
        stretch: f64,
    ) -> Result<Band> {
        if caution < 1.0 {
            let band = Cautious::band(caution, band, at.t, at.output, at.noise);
            return Ok(band.widened(stretch));
        }
        let surely = Cautious::surely().widened(stretch);
        // What is as sure as the baseline is sure enough: it is known to be good by other means.
        let room = match &self.spec.baseline {
            Some(baseline) => {
                let x = self.spec.params.encode(&baseline.params)?;
                let at_baseline = Beliefs::standard_estimate(self.models, &x)?[at.output];
                at_baseline.mean - surely.reach(at_baseline.deviation)
            }
            None => 0.0,
        };
        Ok(Band { offset: room.max(0.0), ..surely })
    }
}
