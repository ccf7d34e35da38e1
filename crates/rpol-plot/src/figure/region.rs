//! The part of the unit square where a condition holds, as outlines and as hatching. Here y runs down, as in the
//! picture.

use std::collections::HashMap;

use super::maps::Condition;
use super::svg::{number, pair};

/// Cells to a side of the square the outline is followed on.
const CELLS: usize = 120;
/// Halvings that place the outline between two nodes.
const HALVINGS: usize = 12;
/// Between hatching lines, and between the places tried along one.
const HATCH_SPACING: f64 = 6.5;
const HATCH_STEP: f64 = 0.75;

/// A node of the grid. The outermost ring lies on the border and counts as outside, so that every outline closes.
type Node = (usize, usize);
/// The side of a cell the outline crosses.
type Side = (Node, Node);

/// The outlines as a path of a square of that size, to be filled by the even-odd rule.
pub(crate) fn outline(inside: Condition, size: f64) -> String {
    let nodes = CELLS + 3;
    let place = |(i, j): Node| [i, j].map(|k| (k.clamp(1, CELLS + 1) - 1) as f64 / CELLS as f64);
    let on_ring = |k: usize| k == 0 || k == nodes - 1;
    let holds: Vec<bool> = (0..nodes * nodes)
        .map(|k| (k / nodes, k % nodes))
        .map(|(i, j)| !on_ring(i) && !on_ring(j) && inside(place((i, j))))
        .collect();
    let holds = |(i, j): Node| holds[i * nodes + j];

    // From every crossed side to the next, the inside always on the same hand: no side is left twice.
    let mut next: HashMap<Side, Side> = HashMap::new();
    let mut starts: Vec<Side> = Vec::new();
    for i in 0..nodes - 1 {
        for j in 0..nodes - 1 {
            let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            for (from, to) in crossings(corners, holds) {
                next.insert(from, to);
                starts.push(from);
            }
        }
    }
    let mut path = String::new();
    for start in starts {
        let mut side = start;
        let mut corners: Vec<String> = Vec::new();
        while let Some(after) = next.remove(&side) {
            let (a, b) = side;
            corners.push(pair(crossing(inside, [place(a), place(b)], holds(a)).map(|s| s * size)));
            side = after;
        }
        corners.dedup();
        if corners.len() > 2 {
            path += &format!("M{}Z", corners.join(" "));
        }
    }
    path
}

/// Where the outline enters the cell and where it leaves; twice if two corners face each other.
fn crossings(corners: [Node; 4], holds: impl Fn(Node) -> bool) -> Vec<(Side, Side)> {
    let side = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        (a.min(b), a.max(b))
    };
    let enters = |k: &usize| !holds(corners[*k]) && holds(corners[(k + 1) % 4]);
    let leaves = |k: &usize| holds(corners[*k]) && !holds(corners[(k + 1) % 4]);
    let ending = |k: usize| (1..4).map(|d| (k + d) % 4).find(leaves);
    (0..4).filter(enters).filter_map(|k| Some((side(k), side(ending(k)?)))).collect()
}

/// The place between two nodes, one inside and one not, where the condition turns.
fn crossing(inside: Condition, [mut a, mut b]: [[f64; 2]; 2], a_holds: bool) -> [f64; 2] {
    if a == b {
        return a;
    }
    let between = |a: [f64; 2], b: [f64; 2]| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    for _ in 0..HALVINGS {
        let middle = between(a, b);
        if inside(middle) == a_holds {
            a = middle;
        } else {
            b = middle;
        }
    }
    between(a, b)
}

/// Lines of that slope (1, -1, or 0 for level ones) across the square wherever the condition holds.
pub(crate) fn hatching(inside: Condition, size: f64, slope: f64) -> String {
    let along = |start: f64| {
        let steps = (size / HATCH_STEP) as usize;
        (0..=steps).map(move |k| k as f64 * HATCH_STEP).map(move |x| [x, start + slope * x])
    };
    let seen = |[x, y]: &[f64; 2]| (0.0..=size).contains(y) && inside([x / size, y / size]);
    let spacing = HATCH_SPACING * slope.hypot(1.0);
    let lines = (2.0 * size / spacing) as usize;
    let mut path = String::new();
    for k in 0..=lines {
        let start = (k as f64 + 0.5) * spacing - if slope > 0.0 { size } else { 0.0 };
        let places: Vec<[f64; 2]> = along(start).collect();
        for run in places.chunk_by(|a, b| seen(a) == seen(b)).filter(|run| seen(&run[0])) {
            let (from, to) = (run[0], run[run.len() - 1]);
            path += &format!("M{}L{},{}", pair(from), number(to[0]), number(to[1]));
        }
    }
    path
}
