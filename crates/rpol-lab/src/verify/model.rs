//! The posterior of every decision, rebuilt from the observations it should have seen.

use super::messages::Sent;
use super::setting::{Case, Setting};
use super::statement::{Family, Sample, Statement, largest};
use super::trace::Trace;
use super::world::World;
use anyhow::Result;
use rpol::gp::Factor;

/// The study's $\mu_t(x_t)$ and $\sigma_t(x_t)$ are those of the data the strategy is to see: the lemmas are too wide to
/// tell, say, a censored value of 0 from a point left out.
pub(super) fn as_printed(setting: &Setting, world: &World, trace: &Trace) -> Result<Sample> {
    let (lambda, window) = (setting.lambda(), trace.window as usize);
    let mut factor = Factor::new(setting.model_kernel(), setting.dims)?;
    let mut gaps = Vec::new();
    for (t, round) in trace.rounds.iter().enumerate() {
        if t > window {
            factor.remove(0)?;
        }
        let x = world.points.point(round.point);
        let whitened = factor.whiten(&x);
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let sigma = (1.0 - inner(&whitened, &whitened)).max(0.0).sqrt();
        for q in 0..2 {
            let sent = &trace.sent[t.saturating_sub(window)..t];
            let mut targets: Vec<f64> =
                sent.iter().map(|pair| target(setting, &pair[q], t + 1)).collect();
            factor.solve(&mut targets);
            gaps.push((round.mean[q] - inner(&whitened, &targets)).abs());
            gaps.push((round.sigma[q] - sigma).abs());
        }
        factor.push(&x, lambda)?;
    }
    let inequality = match setting.case {
        Case::Ucb => "mu_t(x_t), sigma_t(x_t) of rounds 1 .. t-1",
        Case::Censored { .. } => {
            "mu_t(x_t), sigma_t(x_t) of rounds 1 .. t-1, a value 0 unless its delay <= min(m, t-1-s)"
        }
        Case::Window => "mu_t(x_t), sigma_t(x_t) of rounds max(1, t-W) .. t-1",
    };
    let name = format!("Model of {}", setting.case);
    let inequality = format!("for all t: {inequality}");
    Ok(Statement::law(Family::Confidence, name, inequality, 1.0 + largest(gaps)))
}

/// What stands for an observation in decision `t`.
fn target(setting: &Setting, sent: &Sent, t: usize) -> f64 {
    let in_time = match setting.case {
        Case::Censored { within, .. } => sent.delay <= within as usize,
        _ => true,
    };
    if in_time && sent.asked + sent.delay < t { sent.value } else { 0.0 }
}
