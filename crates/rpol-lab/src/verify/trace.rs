//! A run written down, with everything that a statement may ask for.

use super::messages::Sent;

/// What one round shows.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// Index of $x_t$ on the grid.
    pub(super) point: usize,
    /// $f_t(x_t^\star) - f_t(x_t)$.
    pub(super) regret: f64,
    /// $g_t(x_t)$.
    pub(super) g: f64,
    /// $\check g_t(x_t)$.
    pub(super) lower: f64,
    /// $\mu_t(x_t)$ of f and g.
    pub(super) mean: [f64; 2],
    /// $\sigma_t(x_t)$ of f and g.
    pub(super) sigma: [f64; 2],
    /// $\beta_t$: the width without the slack of pending points.
    pub(super) beta: [f64; 2],
    /// $B_r\sum_s\sigma_t(x_s)$ over the last m rounds.
    pub(super) slack: [f64; 2],
    /// $\Gamma_t$.
    pub(super) offset: [f64; 2],
    /// $\gamma$ of what the decision saw.
    pub(super) gain: f64,
    /// $Q_t$.
    pub(super) penalty: f64,
}

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) rounds: Vec<Round>,
    /// Largest $|\rho f(x) - \mu(x)|$ over what the band reaches, of all x, all t, f and g. Condition 1 with
    /// $e = 2\,$reach holds exactly when this is at most 1.
    pub(super) worst: f64,
    /// Least $\check g_t(x) - \rho g(x)$ of all x and t.
    pub(super) above: f64,
    /// $\gamma$ of all T points.
    pub(super) gain: f64,
    /// Largest $\gamma$ of the points of one block of W rounds.
    pub(super) block_gain: f64,
    /// What was observed, round by round.
    pub(super) sent: Vec<[Sent; 2]>,
    /// $\sum c^+$ over the costs that arrived.
    pub(super) paid: f64,
    /// $Q_{T+1}$.
    pub(super) final_penalty: f64,
    /// $P_T$.
    pub(super) path: f64,
    /// $W$.
    pub(super) window: u64,
}

impl Trace {
    /// $\sum_t e_t(x_t)$ of f or g, with $e = 2(v\sigma + \Gamma)$.
    pub(super) fn errors(&self, q: usize) -> f64 {
        self.rounds.iter().map(|r| 2.0 * r.reach(q)).sum()
    }

    /// $R(T)$, signed.
    pub(super) fn regret(&self) -> f64 {
        self.rounds.iter().map(|r| r.regret).sum()
    }

    /// $R^+(T)$.
    pub(super) fn positive_regret(&self) -> f64 {
        self.rounds.iter().map(|r| r.regret.max(0.0)).sum()
    }

    /// $V(T)$.
    pub(super) fn violation(&self) -> f64 {
        self.rounds.iter().map(|r| r.g.max(0.0)).sum()
    }

    /// $\max_t\beta_t$: the paper's $\beta_T$, as its widths do not shrink.
    pub(super) fn widest(&self, q: usize) -> f64 {
        self.rounds.iter().map(|r| r.beta[q]).fold(0.0, f64::max)
    }
}

impl Round {
    /// $v_t\sigma_t(x_t) + \Gamma_t$.
    pub(super) fn reach(&self, q: usize) -> f64 {
        (self.beta[q] + self.slack[q]) * self.sigma[q] + self.offset[q]
    }
}
