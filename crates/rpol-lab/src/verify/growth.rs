//! Sublinear growth: regret and violation at several horizons, and the power of T they follow.

use super::effort::Effort;
use super::play::{Price, play};
use super::setting::{Case, Setting};
use super::statement::{Family, Row, Statement};
use super::world::World;
use crate::problem::KernelKind::{self, Matern52, SquaredExponential};
use anyhow::Result;
use rpol::random::Stream;
use std::num::NonZeroUsize;

/// Standard errors on either side: 95 % of a normal distribution, rounded up for the few runs there are.
const REACH: f64 = 2.1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Regret,
    Violation,
}

const QUANTITIES: [Quantity; 2] = [Quantity::Regret, Quantity::Violation];

/// $R^+(T)$ and $V(T)$ of one pair of functions at every horizon.
type Curves = [Vec<f64>; 2];

/// How many runs it takes.
pub(super) fn steps(effort: &Effort) -> usize {
    cells(effort).len()
}

/// A case, a kernel, and a seed.
fn cells(effort: &Effort) -> Vec<(Case, KernelKind, u64)> {
    let mut cells = Vec::new();
    for case in effort.cases() {
        for kernel in [SquaredExponential, Matern52] {
            cells.extend((0..effort.growth_runs as u64).map(|seed| (case, kernel, seed)));
        }
    }
    cells
}

/// One row a case and quantity.
pub(super) fn rows(
    effort: &Effort,
    jobs: NonZeroUsize,
    tick: &(dyn Fn() + Sync),
) -> Result<Vec<Row>> {
    let cells = cells(effort);
    let curves =
        super::all(&cells, jobs, tick, |(case, kernel, seed)| run(effort, *case, *kernel, *seed))?;
    let mut rows = Vec::new();
    for case in effort.cases() {
        let of_case = |((own, ..), _): &(&(Case, KernelKind, u64), &Curves)| *own == case;
        let own: Vec<&Curves> =
            cells.iter().zip(&curves).filter(of_case).map(|(_, curves)| curves).collect();
        for (q, quantity) in ["R+(T)", "V(T)"].into_iter().enumerate() {
            let runs: Vec<&[f64]> = own.iter().map(|curves| curves[q].as_slice()).collect();
            rows.push(row(case, quantity, effort.growth_horizons(case), &runs));
        }
    }
    Ok(rows)
}

/// Where the growth of a quantity shows before long: the widths of delay and window are several times those of the plain
/// case, and until the deviation is as many times smaller a strategy only explores. Under delay the violation ends
/// soonest where few points can be tried, the regret falls soonest where functions are smooth.
///
/// These settings were found by measuring. Elsewhere the exponent is not below 1 at such horizons: with 101 points and a
/// lengthscale of 0.2 or 0.5 the violation under delay was still linear at T = 512 (exponent 0.95 to 1.05), with three
/// points the regret was (1.13), and with ten times the drift the window's violation was (0.99). The theorems allow
/// that: their bounds are above T there.
fn setting(case: Case, quantity: Quantity, kernel: KernelKind, horizon: u64) -> Setting {
    let base = Setting { levels: 101, ..Setting::new(kernel, 1, horizon, case, 0.1) };
    match (case, quantity) {
        (Case::Ucb, _) => base,
        (Case::Censored { .. }, Quantity::Regret) => Setting { lengthscale: 0.5, ..base },
        (Case::Censored { .. }, Quantity::Violation) => Setting { levels: 3, ..base },
        (Case::Window, _) => Setting { lengthscale: 0.5, drift: 0.1, ..base },
    }
}

fn run(effort: &Effort, case: Case, kernel: KernelKind, seed: u64) -> Result<Curves> {
    let mut curves = [Vec::new(), Vec::new()];
    for horizon in effort.growth_horizons(case) {
        let played = |setting: &Setting| {
            let world = World::draw(setting, &mut Stream::new(seed, 2))?;
            play(setting, &world, seed, Price::Study)
        };
        let [regret, violation] = QUANTITIES.map(|q| setting(case, q, kernel, *horizon));
        let trace = played(&regret)?;
        curves[0].push(trace.positive_regret());
        let trace = if violation == regret { trace } else { played(&violation)? };
        curves[1].push(trace.violation());
    }
    Ok(curves)
}

fn row(case: Case, quantity: &str, horizons: &[u64], runs: &[&[f64]]) -> Row {
    let exponent = |left_out: Option<usize>| {
        let kept = runs.iter().enumerate().filter(|(i, _)| Some(*i) != left_out);
        let mut sums = vec![0.0; horizons.len()];
        kept.for_each(|(_, run)| sums.iter_mut().zip(*run).for_each(|(sum, v)| *sum += v));
        slope(horizons, &sums)
    };
    // The jackknife: how far the exponent moves when a run is left out.
    let (n, centre) = (runs.len() as f64, exponent(None));
    let spread: f64 = (0..runs.len()).map(|i| (exponent(Some(i)) - centre).powi(2)).sum();
    let reach = REACH * ((n - 1.0) / n * spread).sqrt();
    let (low, high) = (centre - reach, centre + reach);
    let statement = Statement::new(
        Family::Growth,
        format!("Growth of {quantity}, {case}"),
        format!("exponent of the mean {quantity} in T < 1 (95 % interval over runs)"),
        1.0,
    );
    let note = format!("exponent {centre:.3}, interval {low:.3} to {high:.3}");
    Row::jointly(&statement, runs.len(), high, note, high < 1.0)
}

/// Least squares of ln values on ln horizons.
fn slope(horizons: &[u64], values: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> =
        horizons.iter().zip(values).map(|(t, v)| ((*t as f64).ln(), v.ln())).collect();
    let n = points.len() as f64;
    let (x, y) =
        (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let across: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    across / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_curve_is_not_sublinear_and_a_root_is() {
        let horizons = [16, 64, 256];
        let linear: Vec<Vec<f64>> =
            (1..9).map(|c| horizons.map(|t| (c * t) as f64).into()).collect();
        let linear: Vec<&[f64]> = linear.iter().map(Vec::as_slice).collect();
        assert!(!row(Case::Ucb, "V(T)", &horizons, &linear).holds);
        let root = horizons.map(|t| (t as f64).sqrt());
        let found = row(Case::Ucb, "V(T)", &horizons, &[&root, &root]);
        assert!(found.holds && (found.tightest - 0.5).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn no_violation_at_all_is_no_exponent() {
        assert!(!row(Case::Ucb, "V(T)", &[16, 64], &[&[0.0, 0.0], &[0.0, 0.0]]).holds);
    }
}
