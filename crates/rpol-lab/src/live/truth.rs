//! What is true of a setting, by measuring it often.

use super::chance::Chance;
use super::system::{Outcome, System};
use rpol::Params;
use serde::Serialize;

/// Measurements that an average is taken over.
pub const MEASUREMENTS: u64 = 400;
/// A setting that fails more often than this cannot be run; one that goes over a limit no more often keeps it.
const SELDOM: f64 = 0.01;
/// Seed of the measurements: no run's.
const SEED: u64 = 0x7275_7468;

/// Averages over many measurements of a setting, under chances that are always the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Truth {
    /// The mean of each metric over the measurements that did not fail; empty where all did.
    pub means: Vec<f64>,
    /// Share of the measurements that were over a limit or failed.
    pub over: f64,
    /// Share that failed.
    pub failed: f64,
    /// Whether the means keep every limit, or hardly any measurement goes over one, as where a metric is 0 but for rare accidents; and
    /// it hardly ever fails.
    pub feasible: bool,
}

impl Truth {
    /// The mean of the objective's metric; NaN where every measurement failed.
    pub fn objective(&self) -> f64 {
        self.means.first().copied().unwrap_or(f64::NAN)
    }
}

impl System {
    /// What is true of a setting in a phase. The setting must be one of this system's.
    ///
    /// ```
    /// use rpol_lab::live::System;
    /// let reactor = System::named("reactor")?;
    /// let truth = reactor.truth(&reactor.baseline, 0);
    /// assert!(truth.feasible && truth.over < 0.01 && truth.failed == 0.0);
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn truth(&self, params: &Params, phase: usize) -> Truth {
        self.average(params, phase, MEASUREMENTS)
    }

    /// What is true of it by fewer or more measurements, each under the same chance whatever the setting.
    pub(super) fn average(&self, params: &Params, phase: usize, measurements: u64) -> Truth {
        let (mut sums, mut measured, mut over) = (Vec::new(), 0_u64, 0_u64);
        for i in 0..measurements {
            let outcome = self.measure_checked(params, phase, &mut Chance::new(SEED, i));
            let Outcome::Measured(metrics) = outcome else { continue };
            over += u64::from(self.excesses(&metrics).iter().any(|g| *g > 0.0));
            sums.resize(metrics.len(), 0.0);
            sums.iter_mut().zip(&metrics).for_each(|(sum, value)| *sum += value);
            measured += 1;
        }
        let share = |count: u64| count as f64 / measurements as f64;
        let failed = share(measurements - measured);
        let means: Vec<f64> = sums.iter().map(|sum| sum / measured as f64).collect();
        let over = share(over) + failed;
        let kept = || over <= SELDOM || self.excesses(&means).iter().all(|g| *g <= 0.0);
        let feasible = measured > 0 && failed <= SELDOM && kept();
        Truth { means, over, failed, feasible }
    }
}
