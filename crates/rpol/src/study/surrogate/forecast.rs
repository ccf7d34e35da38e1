//! What is expected of a setting before it is measured.

use super::context::Context;
use crate::error::Result;
use crate::policy::score::Estimate;
use crate::study::log::forecast::Forecast;

impl Context<'_> {
    /// What is expected of every output at `x`, where `at` is believed; nothing where a number overflows.
    pub(in crate::study) fn forecast(&self, x: &[f64], at: &[Estimate]) -> Result<Vec<Forecast>> {
        let belief = |q: usize| {
            if self.models.knows_all(q) {
                let (unit, spread) = (self.models.unit(q), self.models.scale(q).spread);
                let Estimate { mean, deviation } = at[q];
                return Ok(Estimate { mean: unit.restore(mean), deviation: spread * deviation });
            }
            let (posterior, place) = self.models.on_values(q);
            let belief = posterior.predict(x)?;
            Ok(Estimate { mean: belief.mean[place], deviation: belief.deviation[place] })
        };
        let outputs = 1 + self.spec.constraints.len();
        let at: Vec<Estimate> = (0..outputs).map(belief).collect::<Result<_>>()?;
        Ok(self.forecast_of(x, &at, 0))
    }

    /// The same where it is known what is believed at `x`, by models and `more` values more.
    pub(in crate::study) fn forecast_of(
        &self,
        x: &[f64],
        at: &[Estimate],
        more: u64,
    ) -> Vec<Forecast> {
        let outputs = at.iter().enumerate().take(1 + self.spec.constraints.len());
        let all: Vec<Forecast> =
            outputs.map(|(q, at)| self.forecast_output(q, x, *at, more)).collect();
        let finite = |f: &Forecast| {
            [f.mean, f.deviation, f.noise, f.centre, f.prior].iter().all(|v| v.is_finite())
        };
        if all.iter().all(finite) { all } else { Vec::new() }
    }

    fn forecast_output(&self, q: usize, x: &[f64], at: Estimate, more: u64) -> Forecast {
        let (posterior, scale) = (self.models.on_values(q).0, self.models.scale(q));
        Forecast {
            mean: at.mean,
            deviation: at.deviation,
            noise: scale.spread * self.models.noise(q).sqrt(),
            centre: scale.centre,
            prior: scale.spread * posterior.factor().kernel().value(x, x).sqrt(),
            warp: self.models.warp(q),
            values: self.models.values(q) + more,
            pending: self.state.pending(q),
            stretch: self.state.stretch(q),
        }
    }
}
