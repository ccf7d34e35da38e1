//! Observations on their way to the study, noisy and perhaps late.

use super::setting::{Case, METRICS, Setting};
use anyhow::Result;
use rpol::random::Stream;
use rpol::study::Study;

/// One observation of one output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// The round of its decision.
    pub(super) asked: usize,
    /// In rounds; 0 is in time for the next decision.
    pub(super) delay: usize,
    /// With its noise.
    pub(super) value: f64,
}

/// Everything that was sent, told when it is due.
pub(super) struct Messages<'a> {
    setting: &'a Setting,
    noise: [Stream; 2],
    delay: [Stream; 2],
    /// Round, trial and output of what is still under way.
    under_way: Vec<(usize, u64, usize)>,
    /// Of every round.
    pub(super) sent: Vec<[Sent; 2]>,
    /// $\sum c^+$ over the costs that arrived.
    pub(super) paid: f64,
}

impl<'a> Messages<'a> {
    pub(super) fn new(setting: &'a Setting, seed: u64) -> Self {
        let world = Stream::new(seed, 1);
        let noise = [0, 1].map(|q| world.fork(q));
        let delay = [2, 3].map(|q| world.fork(q));
        Self { setting, noise, delay, under_way: Vec::new(), sent: Vec::new(), paid: 0.0 }
    }

    /// Observes the values of round `asked`, from 1.
    pub(super) fn send(&mut self, asked: usize, number: u64, values: [f64; 2]) {
        self.sent.push([0, 1].map(|q| {
            let value = values[q] + self.setting.noise[q] * self.noise[q].normal();
            let delay = match self.setting.case {
                Case::Censored { mean, .. } => self.delay[q].poisson(mean) as usize,
                _ => 0,
            };
            Sent { asked, delay, value }
        }));
        self.under_way.extend([0, 1].map(|q| (asked, number, q)));
    }

    /// Tells what is due in round `t`, and returns the sum of the positive costs among it.
    pub(super) fn deliver(&mut self, t: usize, study: &mut Study) -> Result<f64> {
        let mut revealed = 0.0;
        for (asked, number, q) in std::mem::take(&mut self.under_way) {
            let Sent { delay, value, .. } = self.sent[asked - 1][q];
            if asked + delay > t {
                self.under_way.push((asked, number, q));
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
