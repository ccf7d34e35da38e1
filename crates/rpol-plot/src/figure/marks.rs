//! Vertical marks: when something happened, told above the plot where no line runs.

use super::font::{self, Weight};
use super::frame::Frame;
use super::svg::{Anchor, Text, stroke};

const SIZE: f64 = 14.0;
const ROW: f64 = 18.0;
const LOOK: &str = r##"stroke="#555" stroke-width="1.3" stroke-dasharray="5 4""##;

/// A mark whose label has found its row; row 0 is next to the plot.
pub(super) struct Placed<'a> {
    x: f64,
    centre: f64,
    row: usize,
    label: &'a str,
}

/// A row for every label, such that none touches another, all between the `left` and the `right` end.
pub(super) fn placed<'a>(
    marks: impl Iterator<Item = (f64, &'a str)>,
    [left, right]: [f64; 2],
) -> Vec<Placed<'a>> {
    let mut marks: Vec<(f64, &str)> = marks.collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ends: Vec<f64> = Vec::new();
    let place = |(x, label): (f64, &'a str)| {
        let half = font::width(label, SIZE, Weight::Regular) / 2.0;
        let centre = x.max(left + half).min(right - half);
        let free = ends.iter().position(|end| *end + 10.0 <= centre - half);
        let row = free.unwrap_or(ends.len());
        ends.resize(ends.len().max(row + 1), f64::NEG_INFINITY);
        ends[row] = centre + half;
        Placed { x, centre, row, label }
    };
    marks.into_iter().map(place).collect()
}

/// How much room the labels need above the plot.
pub(super) fn height(placed: &[Placed]) -> f64 {
    placed.iter().map(|mark| mark.row + 1).max().map_or(0.0, |rows| rows as f64 * ROW + 4.0)
}

pub(super) fn lines(placed: &[Placed], frame: &Frame) -> String {
    placed.iter().map(|mark| stroke([mark.x, frame.top], [mark.x, frame.bottom()], LOOK)).collect()
}

pub(super) fn labels(placed: &[Placed], frame: &Frame) -> String {
    let label = |mark: &Placed| {
        let at = [mark.centre, frame.top - 6.0 - ROW * mark.row as f64];
        Text::new(at, Anchor::Middle, SIZE, mark.label).level()
    };
    placed.iter().map(label).collect()
}
