//! Negative controls: the same statements with one piece broken, where each must be seen to fail.

use super::coverage::{self, Regime};
use super::penalty;
use super::play::{Price, play};
use super::setting::{Case, Form, METRICS, Setting};
use super::statement::{Family, Sample, Statement};
use super::theorems;
use super::world::World;
use crate::problem::KernelKind::SquaredExponential;
use crate::problem::RkhsFunction;
use anyhow::Result;
use rpol::random::Stream;
use rpol::study::Study;

/// A whole width holds its promise; half of it does not.
pub(super) fn half_width(horizon: u64, seed: u64, scale: f64) -> Result<Vec<Sample>> {
    let setting =
        coverage::setting(Regime::Noise, SquaredExponential, 1, horizon, Form::Mixture, 0.1);
    let whole = coverage::samples(Regime::Noise, &setting, seed, scale)?.remove(0);
    let half = Statement::new(
        Family::Control,
        "Half the width",
        "for all x, t, f and g: |f - mu_t(x)| <= (beta_t / 2) sigma_t(x), Mixture",
        whole.statement.promised,
    );
    let half = half.sample(2.0 * whole.ratio.unwrap_or(f64::NAN));
    Ok(vec![whole, half])
}

/// The paper's example: costs alternate between -1 and +1. Their sum stays at 0 while half of the rounds violate, so a
/// penalty of plain costs does not rise above its floor; the rectified one pays for each.
pub(super) fn no_rectifier() -> Result<Vec<Sample>> {
    let setting = Setting { levels: 2, ..Setting::new(SquaredExponential, 1, 100, Case::Ucb, 0.1) };
    let mut study = Study::create(setting.spec(0, setting.horizon, &[])?)?;
    let (mut paid, mut plain) = (0.0, 1f64);
    for t in 1..=setting.horizon {
        let cost = if t % 2 == 0 { 1.0 } else { -1.0 };
        let asked = study.ask()?;
        study.tell(asked.number, [(METRICS[0], 0.0), (METRICS[1], cost)])?;
        paid += f64::max(cost, 0.0);
        plain = (plain + cost).max((t as f64).sqrt());
    }
    let name = "Penalty growth, costs -1, +1, -1, ...";
    let mut broken = penalty::grown("No rectifier".into(), paid, plain);
    broken.statement.family = Family::Control;
    broken.statement.inequality =
        "Q_T+1 >= 1 + sum c+, costs -1, +1, ..., Q <- max(Q + c, sqrt(t))".into();
    Ok(vec![penalty::grown(name.into(), paid, study.penalties()[0]), broken])
}

/// Two points, of which the better violates a little, and functions so small that the price must rise far: without the
/// floor it rises by the violations alone, and these add up to more than Theorem 1 allows.
pub(super) fn no_floor(seed: u64) -> Result<Vec<Sample>> {
    let size = 0.005;
    let setting = Setting {
        levels: 2,
        lengthscale: 0.1,
        form: Form::Anytime,
        lambda: Some(0.01),
        bound: [size; 2],
        noise: [size / 100.0; 2],
        ..Setting::new(SquaredExponential, 1, 300, Case::Ucb, 0.1)
    };
    let one = |norm: f64| {
        let (centres, weights) = (vec![vec![0.0], vec![1.0]], vec![-1.0, 1.0]);
        RkhsFunction::new(setting.kernel, setting.lengthscale, centres, weights, norm)
    };
    let world = World::of(&setting, [one(size)?, one(size)?])?;
    let mut samples = theorems::first(&setting, &play(&setting, &world, seed, Price::Study)?);
    let broken = play(&setting, &world, seed, Price::Own { floor: false })?;
    let violation = theorems::first(&setting, &broken).into_iter().nth(1);
    samples.extend(violation.map(|mut sample| {
        sample.statement.family = Family::Control;
        sample.statement.name = "No penalty floor".into();
        sample
    }));
    Ok(samples)
}

/// The delay lemma's second line as printed, with the upper bound's sign for g: $0 \le \check g - \rho g$.
pub(super) fn wrong_sign(horizon: u64, seed: u64) -> Result<Vec<Sample>> {
    let case = Case::Censored { mean: 3.0, within: 4 };
    let setting = Setting::new(SquaredExponential, 1, horizon, case, 0.1);
    let world = World::draw(&setting, &mut Stream::new(seed, 0))?;
    let trace = play(&setting, &world, seed, Price::Study)?;
    let printed = Statement::new(
        Family::Control,
        "Wrong sign in the delay lemma",
        "for all x, t: 0 <= g_check - rho g (as printed; the erratum has rho g - g_check)",
        setting.promised(),
    );
    // Over 1 by as much as the inequality is missed.
    Ok(vec![printed.sample(1.0 - trace.above)])
}
