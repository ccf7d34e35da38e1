//! The three lemmas on the sum of errors at the played points.
//!
//! The paper's $\gamma_T$ is a maximum over all sets of points. Here stands the gain of the points that were played, which
//! is what the proofs use before they take the maximum: a sharper statement. It is that of T points, where the paper's
//! index would give T - 1.

use super::setting::{Case, Setting};
use super::statement::{Family, Sample, Statement, largest};
use super::trace::Trace;

/// The right side of the lemma for f or g, as Theorems 2, 3 and 4 use it again.
pub(super) fn bound(setting: &Setting, trace: &Trace, q: usize) -> f64 {
    let (rounds, lambda) = (setting.horizon as f64, setting.lambda());
    let beta = trace.widest(q);
    match setting.case {
        Case::Ucb => beta * (4.0 * rounds * lambda * trace.gain).sqrt(),
        Case::Censored { within, .. } => {
            let pending = 4.0 * within as f64 * setting.observed(q) * lambda * trace.gain;
            beta * (4.0 * rounds * lambda * trace.gain).sqrt() + pending
        }
        Case::Window => {
            // The last block may be shorter than W, so T/W is rounded up.
            let window = trace.window as f64;
            let blocks = (rounds / window).ceil();
            blocks * beta * (4.0 * lambda * window * trace.block_gain).sqrt()
        }
    }
}

/// The right side for the offsets: $C W P_T$.
pub(super) fn drift_bound(setting: &Setting, trace: &Trace) -> f64 {
    if setting.case != Case::Window {
        return 0.0;
    }
    let (lambda, window) = (setting.lambda(), trace.window as f64);
    (2.0 * window * (1.0 + lambda) * trace.gain).sqrt() / lambda * window * trace.path
}

/// What the lemma of the case says of this run.
pub(super) fn lemma(setting: &Setting, trace: &Trace) -> Vec<Sample> {
    let (name, inequality) = match setting.case {
        Case::Ucb => (
            "Lemma GP-UCB-error",
            "sum beta_t sigma_t(x_t) <= beta_T sqrt(4 (T+2) gamma), f and g, gamma realised",
        ),
        Case::Censored { .. } => (
            "Lemma delay-error",
            "sum v_t sigma_t(x_t) <= beta_T sqrt(4 T lambda gamma) + 4 m B_r lambda gamma, gamma realised",
        ),
        Case::Window => (
            "Lemma sliding-window-error",
            "sum beta_t sigma_t(x_t) <= ceil(T/W) beta sqrt(4 lambda W gamma_W), gamma_W realised in a block",
        ),
    };
    let sum = |q: usize| trace.rounds.iter().map(|r| r.reach(q) - r.offset[q]).sum::<f64>();
    let worst = largest([0, 1].map(|q| sum(q) / bound(setting, trace, q)));
    let mut samples = vec![Statement::law(Family::ErrorSums, name, inequality, worst)];
    if setting.case == Case::Window {
        let offsets = |q: usize| trace.rounds.iter().map(|r| r.offset[q]).sum::<f64>();
        let worst = largest([0, 1].map(offsets)) / drift_bound(setting, trace);
        let inequality = "sum Gamma_t <= C W P_T, gamma realised";
        let name = "Lemma sliding-window-error, drift";
        samples.push(Statement::law(Family::ErrorSums, name, inequality, worst));
    } else {
        samples.push(chain_rule(setting, trace));
    }
    samples
}

/// $\gamma = \tfrac12\sum_t\ln(1 + \sigma_t^2(x_t)/\lambda)$: on it rests the step from deviations to the gain.
fn chain_rule(setting: &Setting, trace: &Trace) -> Sample {
    let term = |sigma: f64| 0.5 * (sigma * sigma / setting.lambda()).ln_1p();
    let sum: f64 = trace.rounds.iter().map(|r| term(r.sigma[0])).sum();
    let inequality = "|1/2 sum ln(1 + sigma_t(x_t)^2 / lambda) / gamma - 1| <= 0";
    let name = format!("Gain is a sum, {}", setting.case);
    Statement::law(Family::ErrorSums, name, inequality, 1.0 + (sum / trace.gain - 1.0).abs())
}
