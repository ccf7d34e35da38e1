//! Settings near another one.

use crate::random::Stream;
use crate::space::{Coordinate, Space};

/// Coordinates that change in one move, on average: more of them together seldom stay within the limits.
const TOGETHER: f64 = 2.5;

/// A setting near `centre`: some coordinates moved by about `scale` of their range, integers by one level at least.
pub(in crate::study) fn moved(
    space: &Space,
    centre: &[f64],
    scale: f64,
    stream: &mut Stream,
) -> Vec<f64> {
    let mut x = centre.to_vec();
    let share = TOGETHER / x.len() as f64;
    let sure = stream.below(x.len());
    for (d, coordinate) in space.coordinates().iter().enumerate() {
        if d != sure && stream.uniform() >= share {
            continue;
        }
        x[d] = match coordinate {
            Coordinate::Continuous => coordinate.snap(x[d] + scale * stream.normal()),
            Coordinate::Lattice(_) => {
                let step = scale * stream.normal();
                let to = coordinate.snap(x[d] + step);
                if to == x[d] { beside(coordinate, x[d], step) } else { to }
            }
            Coordinate::Category(count) => stream.below(*count) as f64,
        };
    }
    x
}

/// The next level on the side of a step.
fn beside(coordinate: &Coordinate, x: f64, step: f64) -> f64 {
    let neighbours = coordinate.neighbours(x);
    let side = neighbours.iter().copied().find(|y| (y > &x) == (step > 0.0));
    side.or_else(|| neighbours.first().copied()).unwrap_or(x)
}

/// Whether no coordinate differs by more than `reach`; categories count for nothing.
pub(in crate::study) fn within(space: &Space, x: &[f64], y: &[f64], reach: f64) -> bool {
    let coordinates = space.coordinates().iter().zip(x.iter().zip(y));
    let numbers = coordinates.filter(|(c, _)| !matches!(c, Coordinate::Category(_)));
    // One level is never too far.
    let near =
        |(c, (x, y)): (&Coordinate, (&f64, &f64))| (x - y).abs() <= reach || c.is_next_to(*y, *x);
    numbers.into_iter().all(near)
}
