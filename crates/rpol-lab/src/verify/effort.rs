//! How much is run.

use super::setting::Case;

/// How many runs, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// $T$ of the runs that lemmas and theorems are read from.
    pub horizon: u64,
    /// Runs for every kernel, dimension, strategy and p.
    pub runs: usize,
    /// $T$ of the coverage runs.
    pub coverage_horizon: u64,
    /// Runs for every kernel, dimension, regime, width and delta.
    pub coverage_runs: usize,
    /// Runs of each control.
    pub control_runs: usize,
    /// Horizons the growth is fitted over.
    pub growth_horizons: Vec<u64>,
    /// Functions drawn for it, for every strategy and kernel.
    pub growth_runs: usize,
}

impl Effort {
    /// Seconds.
    pub fn quick() -> Self {
        Self {
            horizon: 60,
            runs: 3,
            coverage_horizon: 50,
            coverage_runs: 4,
            control_runs: 16,
            growth_horizons: vec![32, 64, 128, 256],
            growth_runs: 6,
        }
    }

    /// Minutes.
    pub fn full() -> Self {
        Self {
            horizon: 150,
            runs: 40,
            coverage_horizon: 100,
            coverage_runs: 60,
            control_runs: 100,
            growth_horizons: vec![32, 64, 128, 256, 512],
            growth_runs: 30,
        }
    }

    /// The paper's three. A delay of 3 rounds on average, of which 4 are waited for: an observation in five never
    /// counts, so $\rho_m$ is not close to 1.
    pub(super) fn cases(&self) -> [Case; 3] {
        [Case::Ucb, Case::Censored { mean: 3.0, within: 4 }, Case::Window]
    }
}
