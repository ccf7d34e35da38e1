//! The search itself: RPOL-UCB over a fixed pool of candidates.

use rpol::gp::{Factor, Pool, Posterior, Scale};
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::{Kernel, Points, Result};
use rpol_lab::problem::{Environment, Problem};

const CANDIDATES: usize = 4096;
/// Spread evenly before the model decides, and the unit of the outputs is taken from them.
const FIRST: usize = 6;
/// Of the range of a parameter.
const LENGTHSCALE: f64 = 0.25;
const WIDTH_F: f64 = 1.0;
const WIDTH_G: f64 = 1.5;

/// What one round did, with the true values that only the demonstration knows.
pub(super) struct Round {
    /// In the problem's own units.
    pub(super) x: Vec<f64>,
    /// $f(x_t)$ without noise.
    pub(super) f: f64,
    /// $g(x_t)$ without noise.
    pub(super) g: f64,
    /// $Q_{t+1}$.
    pub(super) penalty: f64,
}

/// Plays `rounds` rounds, and calls `tick` after each.
pub(super) fn play(
    environment: &Environment,
    rounds: u64,
    seed: u64,
    mut tick: impl FnMut(),
) -> Result<Vec<Round>> {
    let problem = environment.problem_at(1);
    let candidates = sobol(problem.dims(), CANDIDATES, &mut Stream::new(seed, 0))?;
    let first = sobol(problem.dims(), FIRST, &mut Stream::new(seed, 0).fork(1))?;
    let mut observed = Observed { inputs: Points::new(problem.dims()), f: vec![], g: vec![] };
    let mut models = None;
    let mut penalty = 1.0;
    let mut played = Vec::new();
    for t in 1..=rounds {
        let unit = match &models {
            None => first.point(played.len()),
            Some((f, g)) => candidates.point(decide(f, g, penalty)),
        };
        let round = try_point(problem, &unit);
        let mut noise = Stream::new(seed, t);
        let reward = round.f + environment.noise_std * noise.normal();
        let cost = round.g + environment.noise_std * noise.normal();

        penalty = f64::max(penalty + cost.max(0.0), (t as f64).sqrt());
        played.push(Round { penalty, ..round });
        tick();
        match &mut models {
            Some((f, g)) => {
                f.learn(&unit, reward)?;
                g.learn(&unit, cost)?;
            }
            None => {
                observed.inputs.push(&unit);
                observed.f.push(reward);
                observed.g.push(cost);
                if observed.f.len() == FIRST {
                    let model = |values, width| {
                        let noise = environment.noise_std.powi(2);
                        Model::new(&candidates, &observed.inputs, values, noise, width)
                    };
                    models = Some((model(&observed.f, WIDTH_F)?, model(&observed.g, WIDTH_G)?));
                }
            }
        }
    }
    Ok(played)
}

/// $V(t) = \sum_{s \le t} [g(x_s)]^+$ after every round.
pub(super) fn cumulative_violation(rounds: &[Round]) -> Vec<f64> {
    let sum = |sum: &mut f64, round: &Round| {
        *sum += round.g.max(0.0);
        Some(*sum)
    };
    rounds.iter().scan(0.0, sum).collect()
}

struct Observed {
    inputs: Points,
    f: Vec<f64>,
    g: Vec<f64>,
}

fn sobol(dims: usize, count: usize, stream: &mut Stream) -> Result<Points> {
    let points: Vec<_> = Sobol::scrambled(dims, stream)?.points().take(count).collect();
    Ok(Points::from_rows(dims, &points))
}

fn try_point(problem: &Problem, unit: &[f64]) -> Round {
    let x = problem.from_unit(unit);
    let (f, g) = (problem.f(&x), problem.g(&x)[0]);
    Round { x, f, g, penalty: 1.0 }
}

/// The candidate of largest $\hat f(x) - Q [\check g(x)]^+$; the first of equals.
fn decide(f: &Model, g: &Model, penalty: f64) -> usize {
    let (upper, lower) = (f.band(1.0), g.band(-1.0));
    let score = |i: usize| upper[i] - penalty * lower[i].max(0.0);
    (1..upper.len()).fold(0, |best, i| if score(i) > score(best) { i } else { best })
}

/// One output's Gaussian process and what it says of every candidate.
struct Model {
    posterior: Posterior,
    pool: Pool,
    /// In standard units.
    noise: f64,
    width: f64,
}

impl Model {
    fn new(
        candidates: &Points,
        inputs: &Points,
        values: &[f64],
        variance: f64,
        width: f64,
    ) -> Result<Self> {
        let (dims, scale) = (inputs.dims(), Scale::robust(values)?);
        let factor = Factor::new(Kernel::squared_exponential(vec![LENGTHSCALE; dims]), dims)?;
        let posterior = Posterior::new(factor, vec![scale]);
        let pool = Pool::new(candidates.clone(), &posterior);
        let noise = variance / (scale.spread * scale.spread);
        let mut model = Self { posterior, pool, noise, width };
        for (i, value) in values.iter().enumerate() {
            model.learn(&inputs.point(i), *value)?;
        }
        Ok(model)
    }

    fn learn(&mut self, x: &[f64], y: f64) -> Result<()> {
        let change = self.posterior.observe(x, &[y], self.noise)?;
        self.pool.follow(&self.posterior, &change);
        Ok(())
    }

    /// The edge of the band at every candidate: the upper one for `side` 1, the lower for -1.
    fn band(&self, side: f64) -> Vec<f64> {
        let (mean, deviation) = (self.pool.mean(0), self.pool.deviation(0));
        mean.iter().zip(deviation).map(|(m, s)| m + side * self.width * s).collect()
    }
}
