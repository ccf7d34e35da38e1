//! CKB.

use super::score::Score;
use super::{Closing, Rule, Situation, positive};
use crate::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The primal-dual method of Zhou & Ji 2022:
///
/// $$x_t = \arg\max\; [\hat f]_{-B}^{B} - \sum_i\phi_i\,[\check g_i]_{-G}^{G}, \qquad
///   \phi_i \leftarrow \big[\phi_i + [\check g_i(x_t)]_{-G}^{G}/V\big]_0^{\rho}, \quad \phi = 0,$$
///
/// where the step uses the estimate made *before* observing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrimalDual {
    /// $B$.
    #[serde(default = "large")]
    pub bound_objective: f64,
    /// $G$.
    #[serde(default = "large")]
    pub bound_constraint: f64,
    /// $\rho$, the cap.
    #[serde(default = "default_cap")]
    pub cap: f64,
    /// $V$; $\sqrt T$ when left out, or $\sqrt t$ without a horizon.
    #[serde(default)]
    pub step: Option<f64>,
}

fn large() -> f64 {
    1e6
}

fn default_cap() -> f64 {
    5.0
}

impl Default for PrimalDual {
    fn default() -> Self {
        Self { bound_objective: large(), bound_constraint: large(), cap: default_cap(), step: None }
    }
}

impl Rule for PrimalDual {
    fn start(&self, constraints: usize) -> Vec<f64> {
        vec![0.0; constraints]
    }

    fn close(&self, multipliers: &mut [f64], closing: &Closing<'_>) {
        let v = self.step.unwrap_or_else(|| (closing.horizon.unwrap_or(closing.t) as f64).sqrt());
        let bound = self.bound_constraint;
        for (phi, lower) in multipliers.iter_mut().zip(closing.lower) {
            *phi = (*phi + lower.clamp(-bound, bound) / v).clamp(0.0, self.cap);
        }
    }

    fn score(&self, situation: &Situation<'_>) -> Score {
        Score::clamped(
            situation.bands,
            situation.multipliers.to_vec(),
            self.bound_objective,
            self.bound_constraint,
        )
    }

    fn validate(&self) -> Result<()> {
        positive("bound_objective", self.bound_objective)?;
        positive("bound_constraint", self.bound_constraint)?;
        positive("cap", self.cap)?;
        self.step.map_or(Ok(()), |step| positive("step", step))
    }
}
