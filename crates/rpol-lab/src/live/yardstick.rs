//! What uniform random play costs: the unit of violation.

use super::chance::Chance;
use super::system::{Outcome, System};
use rpol::Params;
use serde::Serialize;

/// Random trials that are looked at.
const TRIALS: u64 = 1500;
/// Seed of them.
const SEED: u64 = 0x7961_7264;

/// Uniform random play on a system, all phases alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Yardstick {
    /// Mean over the trials of what each limit was broken by, in its own unit.
    pub violation: Vec<f64>,
    /// The most that any trial broke each limit by: what a failure is taken for.
    pub worst: Vec<f64>,
    /// Share of the trials that were over a limit or failed.
    pub over: f64,
    /// Share that failed.
    pub failed: f64,
}

impl Yardstick {
    /// Plays at random.
    pub fn of(system: &System) -> Self {
        let limits = system.limits().len();
        let mut worst = vec![0.0_f64; limits];
        let (mut sums, mut failures, mut over) = (vec![0.0; limits], 0.0, 0.0);
        for trial in 0..TRIALS {
            let mut chance = Chance::new(SEED, trial);
            let params = anywhere(system, &mut chance);
            let phase = trial as usize % system.phases();
            match system.measure_checked(&params, phase, &mut chance) {
                Outcome::Failed(_) => failures += 1.0,
                Outcome::Measured(metrics) => {
                    let excesses = system.excesses(&metrics);
                    over += f64::from(u8::from(excesses.iter().any(|g| *g > 0.0)));
                    for (i, g) in excesses.iter().enumerate() {
                        sums[i] += g.max(0.0);
                        worst[i] = worst[i].max(*g);
                    }
                }
            }
        }
        let trials = TRIALS as f64;
        let violation =
            sums.iter().zip(&worst).map(|(sum, worst)| (sum + failures * worst) / trials);
        Self {
            violation: violation.collect(),
            over: (over + failures) / trials,
            failed: failures / trials,
            worst,
        }
    }

    /// What a run broke the limits by, relative to random play of as many trials: the mean over the limits that random play breaks.
    pub fn relative(&self, violation: &[f64], trials: usize) -> f64 {
        let pairs = violation.iter().zip(&self.violation).filter(|(_, random)| **random > 0.0);
        let ratios: Vec<f64> = pairs.map(|(v, random)| v / (random * trials as f64)).collect();
        if ratios.is_empty() { 0.0 } else { ratios.iter().sum::<f64>() / ratios.len() as f64 }
    }
}

/// A setting uniform over the space, as the model sees it.
pub(super) fn anywhere(system: &System, chance: &mut Chance) -> Params {
    let space = &system.spec.params;
    let x: Vec<f64> = space.coordinates().iter().map(|c| c.draw(chance.uniform())).collect();
    space.decode(&x)
}
