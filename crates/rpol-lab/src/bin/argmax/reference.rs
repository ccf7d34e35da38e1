//! The search that takes its time.

use anyhow::Result;
use rpol::Points;
use rpol::random::Stream;
use rpol::sobol::Sobol;
use rpol::study::Landscape;

/// Points of the grid that are climbed from.
const CLIMBED: usize = 50;
/// A decision takes 4096 candidates and some 13 starts: a hundred times that.
const MANY_POINTS: usize = 409_600;
const MANY_STARTS: usize = 1300;
/// Points of the cloud that are also improved without derivatives.
const WANDERERS: usize = 40;
/// Least distance of two starts.
const APART: f64 = 0.02;

/// The best point of the landscape and its score, the search also beginning at `decided`.
pub(crate) fn best(land: &Landscape, decided: &[f64], grid: usize) -> Result<(Vec<f64>, f64)> {
    let dims = decided.len();
    let (points, starts) = match dims {
        2 => (square(grid), CLIMBED),
        _ => (cloud(dims), MANY_STARTS),
    };
    let mut ends = separated(&points, &land.scores(points.view()), starts);
    let wanderers = if dims == 2 { Vec::new() } else { ends[..WANDERERS.min(ends.len())].to_vec() };
    ends.push(decided.to_vec());
    for end in &mut ends {
        *end = land.climb(end)?;
    }
    let ends = Points::from_rows(dims, &ends);
    let scores = land.scores(ends.view());
    let mut best = (decided.to_vec(), f64::NEG_INFINITY);
    let keep = |best: &mut (Vec<f64>, f64), x: Vec<f64>, score: f64| {
        if score > best.1 {
            *best = (x, score);
        }
    };
    for x in separated(&ends, &scores, 4) {
        let score = land.scores(Points::from_rows(dims, &[&x]).view())[0];
        keep(&mut best, x.clone(), score);
        if dims == 2 {
            let (x, score) = zoom(land, x, score, 1.0 / grid as f64);
            keep(&mut best, x, score);
        }
    }
    for start in wanderers {
        let (x, score) = wander(land, start);
        keep(&mut best, x, score);
    }
    Ok(best)
}

/// As [`zoom`], for many dimensions: clouds around the best point so far, ever smaller.
fn wander(land: &Landscape, mut x: Vec<f64>) -> (Vec<f64>, f64) {
    let mut score = f64::NEG_INFINITY;
    let mut stream = Stream::new(123_456_789, 0);
    for k in 0..60 {
        let reach = 0.4 * 0.8f64.powi(k);
        let mut cloud = Points::from_rows(x.len(), &[&x]);
        for _ in 0..256 {
            // Some coordinates stay: all at once seldom improve.
            let moved = |v: &f64| match stream.uniform() < 0.5 {
                true => (v + reach * (2.0 * stream.uniform() - 1.0)).clamp(0.0, 1.0),
                false => *v,
            };
            cloud.push(&x.iter().map(moved).collect::<Vec<_>>());
        }
        let scores = land.scores(cloud.view());
        let best = (0..scores.len()).fold(0, |a, b| if scores[b] > scores[a] { b } else { a });
        (x, score) = (cloud.point(best), scores[best]);
    }
    (x, score)
}

fn square(grid: usize) -> Points {
    let at = |i: usize| i as f64 / (grid - 1) as f64;
    let rows: Vec<[f64; 2]> = (0..grid * grid).map(|k| [at(k / grid), at(k % grid)]).collect();
    Points::from_rows(2, &rows)
}

fn cloud(dims: usize) -> Points {
    // Another scramble than any study's.
    let mut sobol =
        Sobol::scrambled(dims, &mut Stream::new(987_654_321, 0)).expect("few dimensions");
    Points::from_rows(dims, &sobol.points().take(MANY_POINTS).collect::<Vec<_>>())
}

/// The best points that keep a distance from each other.
fn separated(points: &Points, scores: &[f64], most: usize) -> Vec<Vec<f64>> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut kept: Vec<Vec<f64>> = Vec::new();
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < APART);
    for i in order {
        let x = points.point(i);
        if kept.iter().all(|other| !near(other, &x)) {
            kept.push(x);
        }
        if kept.len() == most {
            break;
        }
    }
    kept
}

/// Without derivatives, so that it shares no weakness with the climb: a little grid that moves while its best point
/// lies at its rim, and shrinks otherwise.
fn zoom(land: &Landscape, mut x: Vec<f64>, mut score: f64, mut reach: f64) -> (Vec<f64>, f64) {
    const HALF: i32 = 8;
    for _ in 0..60 {
        if reach < 1e-10 {
            break;
        }
        let at = |k: i32, d: usize| (x[d] + reach * f64::from(k) / f64::from(HALF)).clamp(0.0, 1.0);
        let steps: Vec<(i32, i32)> =
            (-HALF..=HALF).flat_map(|i| (-HALF..=HALF).map(move |j| (i, j))).collect();
        let rows: Vec<[f64; 2]> = steps.iter().map(|(i, j)| [at(*i, 0), at(*j, 1)]).collect();
        let scores = land.scores(Points::from_rows(2, &rows).view());
        let best = (0..rows.len()).fold(0, |a, b| if scores[b] > scores[a] { b } else { a });
        let (i, j) = steps[best];
        let at_rim = i.abs().max(j.abs()) > HALF - 2;
        if scores[best] > score {
            (x, score) = (rows[best].to_vec(), scores[best]);
        }
        if !at_rim || scores[best] < score {
            reach *= 0.3;
        }
    }
    (x, score)
}
