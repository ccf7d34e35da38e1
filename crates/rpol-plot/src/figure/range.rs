//! Which rounds and which values a chart shows.

use super::curves::Line;

/// The first share of the rounds, where averages swing too wildly to choose a range by.
const WILD: f64 = 0.02;
/// Free space above and below the lines.
const MARGIN: f64 = 0.04;
/// A range that starts within this share of its end starts at zero instead.
const NEAR_ZERO: f64 = 0.35;
/// Larger values cannot be shown on a scale and count as missing.
const LARGEST: f64 = 1e100;

/// Whether a value can be drawn.
pub(crate) fn is_sound(value: f64) -> bool {
    value.abs() < LARGEST
}

/// From zero, as round ticks do, to the last round of the longest line.
pub(crate) fn rounds(lines: &[Line]) -> [f64; 2] {
    let last = lines.iter().map(|line| line.mean.len()).max().unwrap_or(0);
    // One round alone stands in the middle.
    [0.0, last.max(2) as f64]
}

/// How many of the first rounds have no say in the range.
pub(crate) fn wild_rounds(lines: &[Line]) -> usize {
    let [_, horizon] = rounds(lines);
    (WILD * horizon).floor() as usize
}

/// What the lines and their bands reach once the first rounds are past.
pub(crate) fn values(lines: &[Line]) -> [f64; 2] {
    let past = reach(lines, wild_rounds(lines)).or_else(|| reach(lines, 0));
    let [low, high] = past.unwrap_or([0.0, 1.0]);
    widened(with_zero([low, high]))
}

/// The least and the largest value from the round of that index on.
fn reach(lines: &[Line], from: usize) -> Option<[f64; 2]> {
    let ends = |line: &'_ Line, t: usize| {
        let half = line.half_width_at(t).unwrap_or(0.0);
        [line.mean[t] - half, line.mean[t] + half]
    };
    lines
        .iter()
        .flat_map(|line| (from..line.mean.len()).map(move |t| ends(line, t)))
        .filter(|ends| ends.iter().all(|end| is_sound(*end)))
        .reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
}

fn with_zero([low, high]: [f64; 2]) -> [f64; 2] {
    if low > 0.0 && low < NEAR_ZERO * high {
        [0.0, high]
    } else if high < 0.0 && high > NEAR_ZERO * low {
        [low, 0.0]
    } else {
        [low, high]
    }
}

/// With some free space at both ends, and never empty.
pub(crate) fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let span = high - low;
    let size = low.abs().max(high.abs());
    if span > 1e-9 * size {
        [low - MARGIN * span, high + MARGIN * span]
    } else {
        // All the same value: some space around it, in proportion.
        let around = if size > 0.0 { 0.2 * size } else { 1.0 };
        [low - around, high + around]
    }
}
