//! Axes: the frame, its ticks and their values, and the names.

use super::font::{self, Weight};
use super::frame::Frame;
use super::scale::{Scale, Ticks};
use super::svg::{Anchor, Text, rectangle, stroke};

pub(crate) const TICK_SIZE: f64 = 15.0;
pub(crate) const NAME_SIZE: f64 = 16.5;
const TICK_LENGTH: f64 = 5.0;
const GRID: &str = r##"stroke="#e6e6e6" stroke-width="0.8""##;
const TICK: &str = r##"stroke="#444" stroke-width="1""##;
const ZERO: &str = r##"stroke="#8a8a8a" stroke-width="1""##;
/// From the frame down to the baselines of values and of the name.
const VALUES_BELOW: f64 = 21.0;
const NAME_BELOW: f64 = 43.0;
/// What stands below a frame.
pub(crate) const BELOW: f64 = NAME_BELOW + 7.0;

/// Room for the values on the left.
pub(crate) fn values_width(ticks: &Ticks) -> f64 {
    let width = |value: &f64| font::width(&ticks.label(*value), TICK_SIZE, Weight::Regular);
    ticks.values.iter().map(width).fold(0.0, f64::max) + TICK_LENGTH + 4.0
}

/// Lines across the plot at the ticks, under everything else; the line of zero is darker.
pub(crate) fn grid(
    frame: &Frame,
    (x, across): (&Scale, &Ticks),
    (y, up): (&Scale, &Ticks),
) -> String {
    let mut out = String::new();
    for value in &across.values {
        let x = x.place(*value);
        out += &stroke([x, frame.top], [x, frame.bottom()], GRID);
    }
    for value in &up.values {
        let y = y.place(*value);
        let look = if *value == 0.0 { ZERO } else { GRID };
        out += &stroke([frame.left, y], [frame.right(), y], look);
    }
    out
}

pub(crate) fn outline(frame: &Frame) -> String {
    rectangle(frame, r##"fill="none" stroke="#444" stroke-width="1""##)
}

/// Ticks and values under the frame.
pub(crate) fn below(frame: &Frame, scale: &Scale, ticks: &Ticks) -> String {
    let mut out = String::new();
    for value in &ticks.values {
        let x = scale.place(*value);
        out += &stroke([x, frame.bottom()], [x, frame.bottom() + TICK_LENGTH], TICK);
        let at = [x, frame.bottom() + VALUES_BELOW];
        out += &Text::new(at, Anchor::Middle, TICK_SIZE, &ticks.label(*value)).level();
    }
    out
}

/// Ticks and values on the left of the frame.
pub(crate) fn beside(frame: &Frame, scale: &Scale, ticks: &Ticks) -> String {
    let mut out = String::new();
    for value in &ticks.values {
        let y = scale.place(*value);
        out += &stroke([frame.left - TICK_LENGTH, y], [frame.left, y], TICK);
        let at = [frame.left - TICK_LENGTH - 4.0, y + 0.36 * TICK_SIZE];
        out += &Text::new(at, Anchor::End, TICK_SIZE, &ticks.label(*value)).level();
    }
    out
}

/// The name of the axis under the frame.
pub(crate) fn name_below(frame: &Frame, name: &str) -> String {
    let at = [frame.middle()[0], frame.bottom() + NAME_BELOW];
    Text::new(at, Anchor::Middle, NAME_SIZE, name).level()
}

/// The name of the axis on the left, `away` from the frame.
pub(crate) fn name_beside(frame: &Frame, away: f64, name: &str) -> String {
    let at = [frame.left - away, frame.middle()[1]];
    Text::new(at, Anchor::Middle, NAME_SIZE, name).upright()
}
