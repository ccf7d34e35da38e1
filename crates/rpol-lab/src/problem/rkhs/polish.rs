//! Maximise f subject to g <= 0 on the unit cube, from many starts: an augmented Lagrangian whose inner problem is solved
//! by projected gradients with Barzilai-Borwein steps (Birgin, Martinez, Raydan 2000).

use super::RkhsFunction;

const STARTS_A_COORDINATE: usize = 50;
const FINALISTS: usize = 16;
const MEMORY: usize = 8;
// A soft first penalty or a long step leaves the start's basin, and with it perhaps the best one.
const FIRM: f64 = 300.0;
const STRIDE: f64 = 0.05;
const SPREAD: f64 = 0.15;

/// How hard to try: outer and inner rounds, and the slope and infeasibility to be content with.
struct Effort {
    outer: usize,
    inner: usize,
    content: f64,
}

const COARSE: Effort = Effort { outer: 8, inner: 150, content: 1e-3 };
const FINE: Effort = Effort { outer: 40, inner: 1000, content: 1e-11 };

pub(super) struct Pair<'a> {
    pub(super) f: &'a RkhsFunction,
    pub(super) g: &'a RkhsFunction,
}

/// The best feasible point found, or `None` when no start led to one.
pub(super) fn maximise(pair: &Pair, survey: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let mut coarse = ranked(pair, starts(pair, survey), &COARSE);
    // Starts in one basin end at one point: keep a finalist a basin.
    coarse.dedup_by(|a, b| !apart(&a.1, &b.1, STRIDE));
    let finalists = coarse.into_iter().take(FINALISTS).map(|(_, x)| x).collect();
    ranked(pair, finalists, &FINE).into_iter().next().map(|(_, x)| x)
}

/// The polished starts that ended feasible, best first.
fn ranked(pair: &Pair, starts: Vec<Vec<f64>>, effort: &Effort) -> Vec<(f64, Vec<f64>)> {
    let polished = starts.into_iter().map(|x| polish(pair, x, effort));
    let mut found: Vec<_> = polished
        .filter(|x| pair.g.value(x) <= 10.0 * effort.content)
        .map(|x| (pair.f.value(&x), x))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Spread points of the survey, best first, and the centres: peaks of f gather around its own, feasible pockets too small
/// for the survey around those of g.
fn starts(pair: &Pair, survey: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut scored: Vec<_> = survey
        .into_iter()
        .filter(|x| pair.g.value(x) <= 0.0)
        .map(|x| (pair.f.value(&x), x))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let wanted = STARTS_A_COORDINATE * pair.f.dims();
    let mut starts: Vec<Vec<f64>> = Vec::new();
    for (_, x) in scored {
        if starts.len() < wanted && starts.iter().all(|other| apart(other, &x, SPREAD)) {
            starts.push(x);
        }
    }
    starts
        .into_iter()
        .chain(pair.f.centres().iter().cloned())
        .chain(pair.g.centres().iter().cloned())
        .collect()
}

fn apart(a: &[f64], b: &[f64], far: f64) -> bool {
    a.iter().zip(b).any(|(a, b)| (a - b).abs() > far)
}

fn polish(pair: &Pair, mut x: Vec<f64>, effort: &Effort) -> Vec<f64> {
    let (mut multiplier, mut penalty) = (0.0_f64, FIRM);
    let mut gap = f64::INFINITY;
    for _ in 0..effort.outer {
        x = minimise(&Lagrangian { pair, multiplier, penalty }, x, effort);
        let g = pair.g.value(&x);
        let before = gap;
        gap = g.max(-multiplier / penalty).abs();
        multiplier = (multiplier + penalty * g).max(0.0);
        if gap < effort.content {
            break;
        }
        if gap > 0.25 * before {
            penalty = (4.0 * penalty).min(1e6);
        }
    }
    x
}

/// $-f + \tfrac{\rho}{2}\bigl([g + \lambda/\rho]^+\bigr)^2$.
struct Lagrangian<'a> {
    pair: &'a Pair<'a>,
    multiplier: f64,
    penalty: f64,
}

impl Lagrangian<'_> {
    fn force(&self, x: &[f64]) -> f64 {
        (self.multiplier + self.penalty * self.pair.g.value(x)).max(0.0)
    }

    fn value(&self, x: &[f64]) -> f64 {
        -self.pair.f.value(x) + self.force(x).powi(2) / (2.0 * self.penalty)
    }

    fn gradient(&self, x: &[f64]) -> Vec<f64> {
        let (f, force) = (self.pair.f.gradient(x), self.force(x));
        if force == 0.0 {
            return f.iter().map(|v| -v).collect();
        }
        f.iter().zip(self.pair.g.gradient(x)).map(|(f, g)| force * g - f).collect()
    }
}

fn minimise(target: &Lagrangian, mut x: Vec<f64>, effort: &Effort) -> Vec<f64> {
    let mut gradient = target.gradient(&x);
    let mut recent = vec![target.value(&x)];
    let mut step = 0.01;
    for _ in 0..effort.inner {
        if norm(&projected(&x, &gradient, 1.0)) < effort.content {
            break;
        }
        let direction = projected(&x, &gradient, step);
        let slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            break;
        }
        let ceiling = recent.iter().rev().take(MEMORY).copied().fold(f64::NEG_INFINITY, f64::max);
        let Some((next, value)) = backtrack(target, &x, &direction, slope, ceiling) else {
            break;
        };
        let next_gradient = target.gradient(&next);
        step = spectral(&x, &next, &gradient, &next_gradient);
        recent.push(value);
        (x, gradient) = (next, next_gradient);
    }
    x
}

fn projected(x: &[f64], gradient: &[f64], step: f64) -> Vec<f64> {
    x.iter()
        .zip(gradient)
        .map(|(x, g)| (x - (step * g).clamp(-STRIDE, STRIDE)).clamp(0.0, 1.0) - x)
        .collect()
}

fn backtrack(
    target: &Lagrangian,
    x: &[f64],
    direction: &[f64],
    slope: f64,
    ceiling: f64,
) -> Option<(Vec<f64>, f64)> {
    let mut length = 1.0;
    while length > 1e-12 {
        let next: Vec<f64> =
            x.iter().zip(direction).map(|(x, d)| (x + length * d).clamp(0.0, 1.0)).collect();
        let value = target.value(&next);
        if value <= ceiling + 1e-4 * length * slope {
            return Some((next, value));
        }
        length *= 0.5;
    }
    None
}

fn spectral(x: &[f64], next: &[f64], gradient: &[f64], next_gradient: &[f64]) -> f64 {
    let (mut square, mut curvature) = (0.0, 0.0);
    for i in 0..x.len() {
        let moved = next[i] - x[i];
        square += moved * moved;
        curvature += moved * (next_gradient[i] - gradient[i]);
    }
    if curvature <= 0.0 { 1.0 } else { (square / curvature).clamp(1e-10, 1e3) }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
