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
    /// Horizons the growth of each of the three strategies is fitted over.
    pub growth_horizons: [Vec<u64>; 3],
    /// Functions drawn for it, for every strategy and kernel.
    pub growth_runs: usize,
    /// $T$ of the runs against adversaries.
    pub promise_horizon: u64,
    /// Runs against each of them.
    pub promise_runs: usize,
}

impl Effort {
    /// Seconds.
    pub fn quick() -> Self {
        Self {
            horizon: 80,
            runs: 4,
            coverage_horizon: 50,
            coverage_runs: 4,
            control_runs: 16,
            growth_horizons: [vec![32, 64, 128, 256], vec![64, 128, 256, 512], vec![64, 128, 256]],
            growth_runs: 4,
            promise_horizon: 60,
            promise_runs: 2,
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
            growth_horizons: [
                vec![32, 64, 128, 256, 512],
                vec![128, 256, 512, 1024],
                vec![64, 128, 256, 512],
            ],
            growth_runs: 16,
            promise_horizon: 300,
            promise_runs: 5,
        }
    }

    /// The paper's three. A delay of 3 rounds on average, of which 4 are waited for: an observation in five never
    /// counts, so $\rho_m$ is not close to 1.
    pub(super) fn cases(&self) -> [Case; 3] {
        [Case::Ucb, Case::Censored { mean: 3.0, within: 4 }, Case::Window]
    }

    pub(super) fn growth_horizons(&self, case: Case) -> &[u64] {
        &self.growth_horizons[match case {
            Case::Ucb => 0,
            Case::Censored { .. } => 1,
            Case::Window => 2,
        }]
    }
}
