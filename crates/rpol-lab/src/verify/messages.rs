//! Observations on their way to the study, noisy and perhaps late.

use super::error::Result;
use super::setting::{Case, METRICS, Setting};
use rpol::random::Stream;
use rpol::study::Study;

/// Observations under way.
pub(super) struct Messages<'a> {
    setting: &'a Setting,
    noise: [Stream; 2],
    delay: [Stream; 2],
    /// Round it is due, trial, output, value.
    under_way: Vec<(usize, u64, usize, f64)>,
    /// $\sum c^+$ over the costs that arrived.
    pub(super) paid: f64,
}

impl<'a> Messages<'a> {
    pub(super) fn new(setting: &'a Setting, seed: u64) -> Self {
        let world = Stream::new(seed, 1);
        let noise = [0, 1].map(|q| world.fork(q));
        let delay = [2, 3].map(|q| world.fork(q));
        Self { setting, noise, delay, under_way: Vec::new(), paid: 0.0 }
    }

    pub(super) fn send(&mut self, t: usize, number: u64, values: [f64; 2]) {
        for (q, value) in values.into_iter().enumerate() {
            let value = value + self.setting.noise[q] * self.noise[q].normal();
            let delay = match self.setting.case {
                Case::Censored { mean, .. } => self.delay[q].poisson(mean) as usize,
                _ => 0,
            };
            self.under_way.push((t + delay, number, q, value));
        }
    }

    /// Tells what is due, and returns the sum of the positive costs among it.
    pub(super) fn deliver(&mut self, t: usize, study: &mut Study) -> Result<f64> {
        let mut revealed = 0.0;
        for (due, number, q, value) in std::mem::take(&mut self.under_way) {
            if due > t {
                self.under_way.push((due, number, q, value));
                continue;
            }
            study.tell(number, [(METRICS[q], value)])?;
            if q == 1 {
                revealed += value.max(0.0);
            }
        }
        self.paid += revealed;
        Ok(revealed)
    }
}
