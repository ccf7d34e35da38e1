//! The true functions on the grid, round by round.

use super::setting::{Case, Setting};
use crate::problem::{RkhsError, RkhsFunction};
use anyhow::Result;
use rpol::Points;
use rpol::gp::greedy_gain;
use rpol::random::Stream;
use rpol::strategy::SlidingWindow;

/// Pairs drawn before giving up.
const ATTEMPTS: usize = 10_000;

/// $f_t = (1 - s_t) a + s_t b$ on every point of $\mathcal X$, and $g_t$ likewise: norms stay within those of the ends.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) points: Points,
    /// Values of f and g at either end.
    ends: [[Vec<f64>; 2]; 2],
    /// $s_t$ of every round.
    shares: Vec<f64>,
    /// $\max(\lVert f_{t+1} - f_t\rVert, \lVert g_{t+1} - g_t\rVert)$ after round 1, 2, ...
    pub(super) variation: Vec<f64>,
    /// $W$, the paper's choice.
    pub(super) window: u64,
}

impl World {
    /// Draws functions until the optimum is feasible and the constraint bites: the best point without it violates.
    pub(super) fn draw(setting: &Setting, stream: &mut Stream) -> Result<Self> {
        let points = grid(setting)?;
        for _ in 0..ATTEMPTS {
            let (Ok(first), Ok(second)) = (pair(setting, stream), pair(setting, stream)) else {
                continue;
            };
            let second = if setting.case == Case::Window { second } else { first.clone() };
            let world = Self::between(setting, points.clone(), [first, second]);
            if world.usable() {
                return Ok(world);
            }
        }
        Err(RkhsError::NoDraw { attempts: ATTEMPTS }.into())
    }

    /// Two functions drawn anyhow: enough where no optimum is needed.
    pub(super) fn draw_any(setting: &Setting, stream: &mut Stream) -> Result<Self> {
        let points = grid(setting)?;
        loop {
            if let Ok(pair) = pair(setting, stream) {
                return Ok(Self::between(setting, points, [pair.clone(), pair]));
            }
        }
    }

    /// The given pair, throughout.
    pub(super) fn of(setting: &Setting, pair: [RkhsFunction; 2]) -> Result<Self> {
        Ok(Self::between(setting, grid(setting)?, [pair.clone(), pair]))
    }

    fn between(setting: &Setting, points: Points, ends: [[RkhsFunction; 2]; 2]) -> Self {
        let rounds = setting.horizon as usize;
        let moved = (0..2).map(|q| distance(&ends[0][q], &ends[1][q])).fold(0.0, f64::max);
        // Still for a third, then moving for a third, then still.
        let share =
            |t: usize| ((t as f64 - rounds as f64 / 3.0) / (rounds as f64 / 3.0)).clamp(0.0, 1.0);
        let drifts = setting.case == Case::Window;
        let shares: Vec<f64> =
            (1..=rounds).map(|t| if drifts { setting.drift * share(t) } else { 0.0 }).collect();
        let variation: Vec<f64> = shares.windows(2).map(|s| (s[1] - s[0]) * moved).collect();
        let path: f64 = variation.iter().sum();
        let window = if drifts {
            let gains =
                greedy_gain(&setting.model_kernel(), setting.lambda(), points.view(), rounds);
            let gain = gains.last().copied().unwrap_or(0.0);
            SlidingWindow::rounds_for(gain, setting.horizon, path)
        } else {
            setting.horizon
        };
        let on_grid = |function: &RkhsFunction| {
            (0..points.len()).map(|j| function.value(&points.point(j))).collect()
        };
        let ends = ends.each_ref().map(|pair| pair.each_ref().map(on_grid));
        Self { points, ends, shares, variation, window }
    }

    /// Whether every round has a feasible point and either end has an infeasible best point.
    fn usable(&self) -> bool {
        let negative = |j: &usize| self.ends.iter().all(|end| end[1][*j] < 0.0);
        let always = (0..self.points.len()).any(|j| negative(&j));
        let best = |f: &[f64]| (0..f.len()).max_by(|i, j| f[*i].total_cmp(&f[*j])).unwrap_or(0);
        always && self.ends.iter().all(|[f, g]| g[best(f)] > 0.0)
    }

    /// $f_t$ (`q` = 0) or $g_t$ (`q` = 1) on the grid, in round `t` from 1.
    pub(super) fn values(&self, t: usize, q: usize) -> Vec<f64> {
        let s = self.shares[t - 1];
        let [a, b] = [&self.ends[0][q], &self.ends[1][q]];
        a.iter().zip(b).map(|(a, b)| (1.0 - s) * a + s * b).collect()
    }

    /// $f_t(x_t^\star)$; minus infinity where nothing is feasible.
    pub(super) fn optimum(f: &[f64], g: &[f64]) -> f64 {
        let feasible = f.iter().zip(g).filter(|(_, g)| **g <= 0.0);
        feasible.map(|(f, _)| *f).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn grid(setting: &Setting) -> Result<Points> {
    let space = setting.space()?;
    let size = space.size().unwrap_or(0);
    let all: Vec<Vec<f64>> = (0..size).map(|i| space.point(i)).collect();
    Ok(Points::from_rows(setting.dims, &all))
}

fn pair(
    setting: &Setting,
    stream: &mut Stream,
) -> std::result::Result<[RkhsFunction; 2], RkhsError> {
    let [f, g] = setting.bound.map(|norm| {
        // Centres on the grid, where a single one makes |f| as large as its norm.
        let last = setting.levels - 1;
        let mut coordinate = || stream.below(last + 1) as f64 / last as f64;
        let mut centre = || (0..setting.dims).map(|_| coordinate()).collect();
        let centres = (0..setting.centres).map(|_| centre()).collect();
        let weights = (0..setting.centres).map(|_| stream.uniform_in(-1.0, 1.0)).collect();
        RkhsFunction::new(setting.kernel, setting.lengthscale, centres, weights, norm)
    });
    Ok([f?, g?])
}

/// $\lVert a - b\rVert_k$.
fn distance(a: &RkhsFunction, b: &RkhsFunction) -> f64 {
    let inner = |a: &RkhsFunction, b: &RkhsFunction| {
        a.weights().iter().zip(a.centres()).map(|(w, z)| w * b.value(z)).sum::<f64>()
    };
    (inner(a, a) - 2.0 * inner(a, b) + inner(b, b)).max(0.0).sqrt()
}
