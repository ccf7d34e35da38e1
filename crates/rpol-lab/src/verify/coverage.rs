//! Coverage of the widths that need no horizon, where either the norm or the noise makes up the band.

use super::play::{Price, play};
use super::setting::{Case, Form, Setting};
use super::statement::{Family, Sample, Statement};
use super::theorems;
use super::world::World;
use crate::problem::KernelKind;
use anyhow::Result;
use rpol::random::Stream;

/// What the band is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regime {
    /// $B$ large, $R$ small: what is unknown is the function.
    Norm,
    /// $B$ small, $R$ large, and a kernel so long that all points share one value: one mean under noise, where the
    /// mixture's bound is reached with a probability near $\delta$.
    Noise,
}

/// The setting of one cell.
pub(super) fn setting(
    regime: Regime,
    kernel: KernelKind,
    dims: usize,
    horizon: u64,
    form: Form,
    delta: f64,
) -> Setting {
    let base = Setting { form, ..Setting::new(kernel, dims, horizon, Case::Ucb, delta) };
    let levels = if dims == 1 { 101 } else { 15 };
    match regime {
        Regime::Norm => Setting { levels, noise: [0.01, 0.008], lambda: Some(0.05), ..base },
        Regime::Noise => Setting {
            levels: 5,
            lengthscale: 20.0,
            centres: 1,
            bound: [0.05, 0.04],
            noise: [1.0, 0.8],
            lambda: Some(1.0),
            ..base
        },
    }
}

/// What one run says of the width's promise, with every band `scale` times as wide; and, where the functions are more than
/// a constant, of Theorem 1, which holds for any band that satisfies Condition 1. With little noise and a small
/// $\lambda$ its sides are closer here than under the paper's constants.
pub(super) fn samples(
    regime: Regime,
    setting: &Setting,
    seed: u64,
    scale: f64,
) -> Result<Vec<Sample>> {
    let stream = &mut Stream::new(seed, 0);
    let world = match regime {
        Regime::Norm => World::draw(setting, stream)?,
        Regime::Noise => World::draw_any(setting, stream)?,
    };
    let trace = play(setting, &world, seed, Price::Study)?;
    let mut samples = vec![covered(setting).sample(trace.worst / scale)];
    if regime == Regime::Norm {
        samples.extend(theorems::first(setting, &trace));
    }
    Ok(samples)
}

fn covered(setting: &Setting) -> Statement {
    let (name, formula) = match setting.form {
        Form::Mixture => {
            ("Mixture", "sqrt(B^2 + (R^2/lambda) (ln det(I + K/lambda) + 2 ln(2/delta)))")
        }
        _ => ("Anytime", "B + (R/sqrt(lambda)) sqrt(ln det(I + K/lambda) + 2 ln(2/delta))"),
    };
    Statement::new(
        Family::Coverage,
        format!("Coverage of {name}, delta = {}", setting.p),
        format!("for all x, t: |f - mu|, |g - mu| <= sigma_t(x) {formula}"),
        setting.promised(),
    )
}
