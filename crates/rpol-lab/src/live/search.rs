//! The best known setting of a system, by search on long averages.

use super::chance::Chance;
use super::system::{Best, System};
use super::truth::{MEASUREMENTS, Truth};
use super::yardstick::anywhere;
use rpol::Params;
use rpol::constraint::Threshold;
use rpol::space::Coordinate;

/// Settings drawn at random to begin with.
const DRAWN: u64 = 4000;
/// The best of them that are improved.
const KEPT: usize = 12;
/// Measurements that a setting is averaged over, and moves tried from each, in every stage.
const STAGES: [(u64, u64); 3] = [(12, 4000), (60, 1500), (MEASUREMENTS, 500)];
/// Moves are between these shares of the range.
const REACH: [f64; 2] = [0.003, 0.4];
/// Limits are to be kept with this share of themselves to spare, so that rounding elsewhere does not decide.
const SPARE: f64 = 0.002;

/// A setting, and how good it is.
#[derive(Debug, Clone)]
struct Found {
    x: Vec<f64>,
    /// Larger is better: what it lacks in the limits, and the objective where it lacks nothing.
    rank: (f64, f64),
}

/// Searches a phase: at random, then by moves of some coordinates at a time, averages growing longer; `effort` multiplies the moves.
pub fn search(system: &System, phase: usize, seed: u64, effort: u64) -> Best {
    let mut chance = Chance::new(seed, 0);
    let space = &system.spec.params;
    let known = system.best.get(phase).and_then(|best| space.encode(&best.params).ok());
    let start = space.encode(&system.baseline).ok();
    let drawn: Vec<_> = (0..DRAWN).map(|_| anywhere(system, &mut chance)).collect();
    let drawn = drawn.iter().filter_map(|params| space.encode(params).ok());
    let starts = start.into_iter().chain(drawn);
    let mut found: Vec<Found> = starts.map(|x| judged(system, phase, x, STAGES[0].0)).collect();
    for (stage, (measurements, moves)) in STAGES.into_iter().enumerate() {
        best_first(&mut found);
        found.truncate((KEPT >> stage).max(2));
        if measurements == MEASUREMENTS {
            // What is known is judged by long averages only: by short ones it may seem to break a limit.
            found.extend(known.iter().map(|x| judged(system, phase, x.clone(), measurements)));
        }
        for one in &mut found {
            *one = judged(system, phase, one.x.clone(), measurements);
            for _ in 0..moves * effort {
                let x = moved(system, &one.x, &mut chance);
                let other = judged(system, phase, x, measurements);
                if other.rank > one.rank {
                    *one = other;
                }
            }
        }
    }
    best_first(&mut found);
    let params = system.spec.params.decode(&found[0].x);
    let objective = system.truth(&params, phase).objective();
    Best { params, objective }
}

fn best_first(found: &mut [Found]) {
    found.sort_by(|a, b| b.rank.partial_cmp(&a.rank).unwrap_or(std::cmp::Ordering::Equal));
}

/// Some or most of the coordinates moved, numbers by steps of any size, choices to any other.
fn moved(system: &System, x: &[f64], chance: &mut Chance) -> Vec<f64> {
    let mut x = x.to_vec();
    let reach = REACH[0] * (REACH[1] / REACH[0]).powf(chance.uniform());
    let always = (chance.uniform() * x.len() as f64) as usize;
    // Along a limit only several together can move.
    let others = if chance.happens(0.4) { 0.8 } else { 1.0 / x.len() as f64 };
    for (i, coordinate) in system.spec.params.coordinates().iter().enumerate() {
        if i != always && !chance.happens(others) {
            continue;
        }
        x[i] = match coordinate {
            Coordinate::Category(_) => coordinate.draw(chance.uniform()),
            _ => {
                let step = x[i] + reach * chance.normal();
                let near = coordinate.neighbours(x[i]);
                let same = coordinate.snap(step) == x[i] && !near.is_empty();
                let pick = (chance.uniform() * near.len() as f64) as usize;
                if same { near[pick] } else { coordinate.snap(step) }
            }
        };
    }
    x
}

fn judged(system: &System, phase: usize, x: Vec<f64>, measurements: u64) -> Found {
    let params: Params = system.spec.params.decode(&x);
    let truth = system.average(&params, phase, measurements);
    let rank = (-lack(system, &truth), signed(system, &truth));
    Found { x, rank: if rank.0 < 0.0 { (rank.0, 0.0) } else { rank } }
}

fn signed(system: &System, truth: &Truth) -> f64 {
    system.spec.objective.direction().signed(truth.objective())
}

/// By how much the limits are not kept with something to spare, each as a share of itself.
fn lack(system: &System, truth: &Truth) -> f64 {
    if truth.means.is_empty() || truth.failed > 0.0 {
        return 1e6 * (1.0 + truth.failed);
    }
    let excesses = system.excesses(&truth.means);
    let lacks = system.limits().iter().zip(excesses).map(|(limit, g)| {
        let (Threshold::Fixed(size) | Threshold::TimesBaseline(size)) = limit.threshold();
        let size = size.abs();
        let unit = if size > 0.0 { size } else { 1.0 };
        let spare = if size > 0.0 { SPARE } else { 0.0 };
        (g / unit + spare).max(0.0)
    });
    lacks.sum()
}
