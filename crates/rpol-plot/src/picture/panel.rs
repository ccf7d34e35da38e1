//! A plot between two axes.

use super::axis::Axis;
use super::look::FAINT;
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::svg::{Anchor, Text, rectangle, stroke};

pub(crate) const SIZE: f64 = 13.0;
const NAME_SIZE: f64 = 14.0;
const TICK: f64 = 4.0;
const GRID: &str = r##"stroke="#ebebeb" stroke-width="0.8""##;
const PEN: &str = r##"stroke="#444" stroke-width="1""##;
/// What stands below a frame: values and the name.
pub const BELOW: f64 = 44.0;
/// Room for the name on the left.
const NAME_ROOM: f64 = 24.0;
/// Widest label of a tick on the left.
const WIDEST: f64 = 110.0;

/// A plot between two axes.
#[derive(Debug)]
pub struct Panel<'a> {
    /// Where it is.
    pub frame: Frame,
    /// The axis below.
    pub x: &'a Axis,
    /// The axis on the left.
    pub y: &'a Axis,
}

/// Room on the left of a frame for the values and the name of its axis.
#[must_use]
pub fn left_of(axis: &Axis) -> f64 {
    let width = |(_, label): &(f64, String)| font::width(label, SIZE, Weight::Regular).min(WIDEST);
    axis.ticks.iter().map(width).fold(18.0, f64::max) + TICK + 8.0 + NAME_ROOM
}

impl Panel<'_> {
    /// Where a pair of values is; what is beyond the axes stands at their ends.
    #[must_use]
    pub fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.across(x), self.up(y)]
    }

    pub(crate) fn across(&self, x: f64) -> f64 {
        self.frame.left + self.x.share(x).clamp(0.0, 1.0) * self.frame.width
    }

    pub(crate) fn up(&self, y: f64) -> f64 {
        self.frame.bottom() - self.y.share(y).clamp(0.0, 1.0) * self.frame.height
    }

    /// Lines across at the ticks of the left axis, under everything else.
    #[must_use]
    pub fn grid(&self) -> String {
        let level = |(share, _): &(f64, String)| {
            let y = self.frame.bottom() - share * self.frame.height;
            stroke([self.frame.left, y], [self.frame.right(), y], GRID)
        };
        self.y.ticks.iter().map(level).collect()
    }

    /// The frame, ticks, values and names, over everything else.
    #[must_use]
    pub fn surroundings(&self) -> String {
        self.surroundings_of_row(true)
    }

    /// As [`surroundings`](Self::surroundings), with the left axis written only for the `first` of a row.
    #[must_use]
    pub fn surroundings_of_row(&self, first: bool) -> String {
        let mut out = rectangle(&self.frame, &format!("fill=\"none\" {PEN}"));
        out += &self.below();
        if first {
            out += &self.beside();
        }
        out
    }

    fn below(&self) -> String {
        let frame = &self.frame;
        let slot = frame.width / self.x.ticks.len().max(1) as f64;
        // Of many choices only as many are written as there is room for.
        let every = if self.x.is_choices() { (26.0 / slot).ceil().max(1.0) as usize } else { 1 };
        let room = if self.x.is_choices() { slot * every as f64 - 4.0 } else { frame.width / 2.0 };
        let mut out = String::new();
        for (share, label) in self.x.ticks.iter().step_by(every) {
            let x = frame.left + share * frame.width;
            out += &stroke([x, frame.bottom()], [x, frame.bottom() + TICK], PEN);
            let label = font::cut(label, SIZE, Weight::Regular, room);
            let at = [x, frame.bottom() + TICK + SIZE + 1.0];
            out += &Text::new(at, Anchor::Middle, SIZE, &label).level();
        }
        let name = font::cut(&self.x.name, NAME_SIZE, Weight::Regular, frame.width + 30.0);
        let at = [frame.middle()[0], frame.bottom() + 37.0];
        out + &Text::new(at, Anchor::Middle, NAME_SIZE, &name).level()
    }

    fn beside(&self) -> String {
        let frame = &self.frame;
        let mut out = String::new();
        for (share, label) in &self.y.ticks {
            let y = frame.bottom() - share * frame.height;
            out += &stroke([frame.left - TICK, y], [frame.left, y], PEN);
            let label = font::cut(label, SIZE, Weight::Regular, WIDEST);
            let at = [frame.left - TICK - 3.0, y + 0.36 * SIZE];
            out += &Text::new(at, Anchor::End, SIZE, &label).level();
        }
        let name = font::cut(&self.y.name, NAME_SIZE, Weight::Regular, frame.height + 20.0);
        let at = [frame.left - left_of(self.y) + 0.8 * NAME_SIZE, frame.middle()[1]];
        out + &Text::new(at, Anchor::Middle, NAME_SIZE, &name).upright()
    }

    /// Words above the frame: bold on the left, faint on the right.
    #[must_use]
    pub fn heading(&self, left: &str, right: &str) -> String {
        let frame = &self.frame;
        let y = frame.top - 7.0;
        let taken = font::width(right, SIZE, Weight::Regular);
        let left = font::cut(left, NAME_SIZE, Weight::Bold, frame.width - taken - 12.0);
        let left = Text::new([frame.left, y], Anchor::Start, NAME_SIZE, &left).bold().level();
        let right = Text::new([frame.right(), y], Anchor::End, SIZE, right).level();
        format!("{left}<g fill=\"{FAINT}\">{right}</g>\n")
    }
}
