//! One run: a study against a world.

use super::gains::Gains;
use super::messages::Messages;
use super::setting::{Case, Setting};
use super::statement::largest;
use super::trace::{Round, Trace};
use super::world::World;
use anyhow::Result;
use rpol::study::{Landscape, Study};
use rpol::{Params, Value};

/// Who sets the price of a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Price {
    /// The study.
    Study,
    /// A rule of our own in its place: $Q_{t+1} = \max(Q_t + \sum c^+, \sqrt t)$, the floor at will.
    Own { floor: bool },
}

/// Plays the world to its horizon.
pub(super) fn play(setting: &Setting, world: &World, seed: u64, price: Price) -> Result<Trace> {
    let mut study = Study::create(setting.spec(seed, world.window, &world.variation)?)?;
    let mut messages = Messages::new(setting, seed);
    let mut penalty = 1.0;
    let (mut rounds, mut worst, mut above) = (Vec::new(), 0f64, f64::INFINITY);
    for t in 1..=setting.horizon as usize {
        if price == Price::Study {
            penalty = study.penalties()[0];
        }
        let asked = match price {
            Price::Study => study.ask()?,
            Price::Own { .. } => {
                let params = decide(&study, setting, penalty)?;
                study.ask_for(params)?
            }
        };
        let landscape = study.landscape()?.expect("there was an ask");
        let truth = [world.values(t, 0), world.values(t, 1)];
        let point = index(setting, &asked.params);
        let seen = look(setting, &landscape, &truth);
        (worst, above) = (largest([worst, seen.worst]), above.min(seen.above));
        let best = World::optimum(&truth[0], &truth[1]);
        rounds.push(round(setting, &landscape, &rounds, point, &truth, best, penalty));
        messages.send(t, asked.number, [truth[0][point], truth[1][point]]);
        let revealed = messages.deliver(t, &mut study)?;
        if let Price::Own { floor } = price {
            penalty = (penalty + revealed).max(if floor { (t as f64).sqrt() } else { 0.0 });
        }
    }
    let final_penalty = if price == Price::Study { study.penalties()[0] } else { penalty };
    let gains = Gains::of(setting, world, &rounds)?;
    rounds.iter_mut().zip(gains.seen).for_each(|(round, gain)| round.gain = gain);
    Ok(Trace {
        rounds,
        worst,
        above,
        gain: gains.all,
        block_gain: gains.block,
        sent: messages.sent,
        paid: messages.paid,
        final_penalty,
        path: world.variation.iter().sum(),
        window: world.window,
    })
}

/// The maximiser of $\hat f - Q\check g^+$ under our own $Q$, from the beliefs the study is about to use.
fn decide(study: &Study, setting: &Setting, penalty: f64) -> Result<Params> {
    let mut ahead = study.clone();
    ahead.ask()?;
    let landscape = ahead.landscape()?.expect("there was an ask");
    let (surfaces, bands) = (landscape.surfaces(), landscape.bands());
    let score = |j: usize| {
        let reach = |q: usize| bands[q].reach(surfaces[q].deviation[j]);
        let (upper, lower) = (surfaces[0].mean[j] + reach(0), surfaces[1].mean[j] - reach(1));
        upper - penalty * lower.max(0.0)
    };
    let better = |a: usize, b: usize| if score(b) > score(a) { b } else { a };
    let best = (0..landscape.candidates().len()).reduce(better).unwrap_or(0);
    Ok(setting.space()?.decode(&landscape.candidates().point(best)))
}

/// The candidates of a finite space are its points, the first coordinate turning fastest.
fn index(setting: &Setting, params: &Params) -> usize {
    let digit = |value: &Value| value.as_f64().unwrap_or(0.0) as usize;
    params.values().rev().fold(0, |index, value| index * setting.levels + digit(value))
}

struct Seen {
    worst: f64,
    above: f64,
}

fn look(setting: &Setting, landscape: &Landscape, truth: &[Vec<f64>; 2]) -> Seen {
    let (rho, surfaces, bands) = (setting.rho(), landscape.surfaces(), landscape.bands());
    let mut seen = Seen { worst: 0.0, above: f64::INFINITY };
    for (q, surface) in surfaces.iter().enumerate() {
        for j in 0..surface.mean.len() {
            let reach = bands[q].reach(surface.deviation[j]);
            let error = (rho * truth[q][j] - surface.mean[j]).abs();
            seen.worst = largest([seen.worst, error / reach]);
            if q == 1 {
                seen.above = seen.above.min(surface.mean[j] - reach - rho * truth[q][j]);
            }
        }
    }
    seen
}

fn round(
    setting: &Setting,
    landscape: &Landscape,
    before: &[Round],
    point: usize,
    truth: &[Vec<f64>; 2],
    best: f64,
    penalty: f64,
) -> Round {
    let (surfaces, bands) = (landscape.surfaces(), landscape.bands());
    let recent = match setting.case {
        Case::Censored { within, .. } => before.len().min(within as usize),
        _ => 0,
    };
    let recent = &before[before.len() - recent..];
    let slack = [0, 1].map(|q| {
        let sum: f64 = recent.iter().map(|r| surfaces[q].deviation[r.point]).sum();
        setting.observed(q) * sum
    });
    let sigma = [0, 1].map(|q| surfaces[q].deviation[point]);
    Round {
        point,
        regret: best - truth[0][point],
        g: truth[1][point],
        lower: surfaces[1].mean[point] - bands[1].reach(sigma[1]),
        mean: [0, 1].map(|q| surfaces[q].mean[point]),
        sigma,
        beta: [0, 1].map(|q| bands[q].width - slack[q]),
        slack,
        offset: [0, 1].map(|q| bands[q].offset),
        gain: 0.0,
        penalty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::KernelKind::Matern52;
    use rpol::random::Stream;

    /// What makes the control without a floor mean something: with it, our own rule plays as the study does.
    #[test]
    fn our_own_price_with_its_floor_is_the_studys() -> Result<()> {
        for case in [Case::Ucb, Case::Censored { mean: 3.0, within: 4 }] {
            let setting = Setting { levels: 41, ..Setting::new(Matern52, 1, 40, case, 0.1) };
            let world = World::draw(&setting, &mut Stream::new(5, 0))?;
            let study = play(&setting, &world, 5, Price::Study)?;
            let own = play(&setting, &world, 5, Price::Own { floor: true })?;
            let points = |trace: &Trace| trace.rounds.iter().map(|r| r.point).collect::<Vec<_>>();
            assert_eq!(points(&study), points(&own));
            assert!((study.final_penalty / own.final_penalty - 1.0).abs() < 1e-12);
        }
        Ok(())
    }

    #[test]
    fn points_are_counted_as_the_grid_counts_them() -> Result<()> {
        let setting = Setting { levels: 7, ..Setting::new(Matern52, 2, 5, Case::Ucb, 0.1) };
        let space = setting.space()?;
        for i in 0..49 {
            assert_eq!(index(&setting, &space.decode(&space.point(i))), i as usize);
        }
        Ok(())
    }
}
