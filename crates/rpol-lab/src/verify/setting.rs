//! What is played: a finite space, a kernel, a strategy with its width, and the constants of the theory.

use std::fmt;

use crate::experiment::spec_over;
use crate::problem::KernelKind;
use anyhow::Result;
use rpol::confidence::{PerOutput, Width};
use rpol::strategy::{Censored, Drift, SlidingWindow, Strategy, Ucb};
use rpol::study::{Confidence, Model, Preset, Spec};
use rpol::{Kernel, Param, Space};

/// Names of the two metrics.
pub(super) const METRICS: [&str; 2] = ["reward", "cost"];

/// Which of the paper's three algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Case {
    /// RPOL-UCB.
    Ucb,
    /// RPOL-CensoredUCB, with delays drawn from a Poisson distribution.
    Censored {
        /// Mean delay in rounds.
        mean: f64,
        /// $m$.
        within: u64,
    },
    /// RPOL-SWUCB, with $f$ and $g$ moving from one pair to another.
    Window,
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Ucb => "UCB",
            Self::Censored { .. } => "CensoredUCB",
            Self::Window => "SWUCB",
        })
    }
}

/// Which width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The one the paper gives to the case.
    Paper,
    /// `Width::Anytime`.
    Anytime,
    /// `Width::Mixture`.
    Mixture,
}

/// One experiment, but for its seed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The kernel of model and functions alike.
    pub(super) kernel: KernelKind,
    /// $u$.
    pub(super) lengthscale: f64,
    /// $d$.
    pub(super) dims: usize,
    /// Points a coordinate: $\mathcal X$ is this grid, so every maximum over it is exact.
    pub(super) levels: usize,
    /// Centres of each drawn function.
    pub(super) centres: usize,
    /// $T$.
    pub(super) horizon: u64,
    /// Algorithm.
    pub(super) case: Case,
    /// Width.
    pub(super) form: Form,
    /// $p$, or $\delta$.
    pub(super) p: f64,
    /// $B_f$ and $B_g$, which are the norms exactly.
    pub(super) bound: [f64; 2],
    /// $R_f$ and $R_g$, the deviations of Gaussian noise.
    pub(super) noise: [f64; 2],
    /// $\lambda$; the paper's $1 + 2/T$ where it is left out.
    pub(super) lambda: Option<f64>,
    /// How far from the first pair of functions to the second a drifting world goes, 0 to 1.
    pub(super) drift: f64,
}

impl Setting {
    /// Unlike constants for f and g, so that no formula can mistake one for the other.
    pub(super) fn new(kernel: KernelKind, dims: usize, horizon: u64, case: Case, p: f64) -> Self {
        let (levels, lengthscale) = if dims == 1 { (201, 0.2) } else { (25, 0.35) };
        Self {
            kernel,
            lengthscale,
            dims,
            levels,
            centres: 3,
            horizon,
            case,
            form: Form::Paper,
            p,
            bound: [1.0, 0.8],
            noise: [0.05, 0.04],
            lambda: None,
            drift: 1.0,
        }
    }

    /// $\lambda$.
    pub(super) fn lambda(&self) -> f64 {
        self.lambda.unwrap_or(1.0 + 2.0 / self.horizon as f64)
    }

    /// $\rho_m = P(d \le m)$, 1 where nothing is delayed.
    pub(super) fn rho(&self) -> f64 {
        let Case::Censored { mean, within } = self.case else { return 1.0 };
        let mut term = (-mean).exp();
        let mut sum = term;
        for k in 1..=within {
            term *= mean / k as f64;
            sum += term;
        }
        sum
    }

    /// Least probability with which Condition 1 is promised.
    pub(super) fn promised(&self) -> f64 {
        let delayed = matches!(self.case, Case::Censored { .. });
        let unbounded = if delayed { 2.0 / self.horizon as f64 } else { 0.0 };
        1.0 - self.p - unbounded
    }

    /// $B_r$ and $B_c$: what an observation stays under, with $\sqrt{4\ln T}$ where the paper prints $\sqrt{2\ln T}$.
    pub(super) fn observed(&self, q: usize) -> f64 {
        self.bound[q] + self.noise[q] * (4.0 * (self.horizon as f64).ln()).sqrt()
    }

    /// The width the paper (or `Width`'s documentation) prints for a gain, written out a second time so that the
    /// library's own is checked against it. For [`Case::Censored`] this is $\beta_t$, not $v_t$.
    pub(super) fn printed_width(&self, q: usize, gain: f64) -> f64 {
        let (b, r, lambda) = (self.bound[q], self.noise[q], self.lambda());
        let log_det = 2.0 * gain;
        match (self.form, self.case) {
            (Form::Anytime, _) => {
                b + r / lambda.sqrt() * (log_det + 2.0 * (2.0 / self.p).ln()).sqrt()
            }
            (Form::Mixture, _) => {
                (b * b + r * r / lambda * (log_det + 2.0 * (2.0 / self.p).ln())).sqrt()
            }
            (Form::Paper, Case::Ucb) => b + r * (2.0 * (gain + 1.0 + (2.0 / self.p).ln())).sqrt(),
            (Form::Paper, Case::Censored { .. }) => {
                let both = r + self.observed(q);
                b + both * (2.0 * (gain + 1.0 + (4.0 / self.p).ln())).sqrt()
            }
            (Form::Paper, Case::Window) => {
                let rounds = self.horizon as f64;
                b + r / lambda.sqrt() * (log_det + 2.0 * (2.0 * rounds / self.p).ln()).sqrt()
            }
        }
    }

    /// The kernel as the library has it.
    pub(super) fn model_kernel(&self) -> Kernel {
        let lengthscales = vec![self.lengthscale; self.dims];
        match self.kernel {
            KernelKind::SquaredExponential => Kernel::squared_exponential(lengthscales),
            KernelKind::Matern52 => Kernel::matern52(lengthscales),
        }
    }

    /// The grid.
    pub(super) fn space(&self) -> Result<Space> {
        let last = self.levels as i64 - 1;
        Ok(Space::new((1..=self.dims).map(|i| (format!("x{i}"), Param::int(0, last))))?)
    }

    /// The study: the printed preset, with every constant given.
    pub(super) fn spec(&self, seed: u64, window: u64, variation: &[f64]) -> Result<Spec> {
        let each = |values: [f64; 2]| {
            PerOutput::Each(METRICS.iter().map(|m| (*m).to_string()).zip(values).collect())
        };
        let (bound, noise, p) = (each(self.bound), each(self.noise), self.p);
        let width = match (self.form, self.case) {
            (Form::Anytime, _) => Width::Anytime { bound, noise, delta: p },
            (Form::Mixture, _) => Width::Mixture { bound, noise, delta: p },
            (Form::Paper, Case::Ucb) => Width::Igp { bound, noise, p },
            (Form::Paper, Case::Censored { .. }) => Width::Censored { bound, noise, p },
            (Form::Paper, Case::Window) => Width::Window { bound, noise, p },
        };
        let strategy = match self.case {
            Case::Ucb => Strategy::Ucb(Ucb {}),
            Case::Censored { within, .. } => {
                Strategy::Censored(Censored { within, ..Censored::default() })
            }
            Case::Window => {
                let drift = Drift::Oracle(variation.to_vec());
                Strategy::SlidingWindow(SlidingWindow { window, drift })
            }
        };
        let model =
            Model { kernel: Some(self.model_kernel()), noise: self.lambda, ..Model::default() };
        let costs = [METRICS[1].to_string()];
        Ok(Spec {
            preset: Preset::Printed,
            strategy: Some(strategy),
            model,
            confidence: Confidence { width: Some(width), ..Confidence::default() },
            ..spec_over("verify", self.space()?, &costs, self.horizon, seed)?
        })
    }
}
