//! The legend of a chart, and the place where it hides least.

use super::font::{self, Weight};
use super::frame::Frame;
use super::series::{self, MARKER_REACH, Vertex};
use super::style::Style;
use super::svg::{Anchor, Text, rectangle, stroke};

const SIZE: f64 = 15.0;
const ROW: f64 = 21.0;
/// Length of the sample of a line.
const SAMPLE: f64 = 46.0;
const GAP: f64 = 8.0;
const PADDING: f64 = 7.0;
/// Between the legend and the frame of the plot.
const INSET: f64 = 9.0;
/// Between the legend and a line.
const CLEARANCE: f64 = 6.0;

/// What the legend must not hide.
pub(super) struct Obstacles {
    /// Places a few units apart along every line.
    lines: Vec<[f64; 2]>,
    /// Where the bands are: x, upper and lower end.
    bands: Vec<[f64; 3]>,
}

impl Obstacles {
    pub(super) fn new<'a>(runs: impl Iterator<Item = &'a Vec<Vertex>>, frame: &Frame) -> Self {
        let (mut lines, mut bands) = (Vec::new(), Vec::new());
        let seen = frame.grown(40.0);
        let near = |[x, y]: [f64; 2]| [x, y.clamp(seen.top, seen.bottom())];
        for run in runs {
            lines.extend(run.first().map(|v| near(v.at)));
            for pair in run.windows(2) {
                let [from, to] = [near(pair[0].at), near(pair[1].at)];
                let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
                let steps = (dx.hypot(dy) / 3.0).ceil().max(1.0);
                lines.extend((1..=steps as usize).map(|i| {
                    let share = i as f64 / steps;
                    [from[0] + share * dx, from[1] + share * dy]
                }));
            }
            bands.extend(run.iter().filter_map(|v| v.band.map(|[up, down]| [v.at[0], up, down])));
        }
        Self { lines, bands }
    }

    fn hidden_by(&self, place: &Frame) -> Hidden {
        let around = place.grown(CLEARANCE);
        let lines = self.lines.iter().filter(|at| around.holds(**at)).count();
        let overlap = |[x, up, down]: &[f64; 3]| {
            let common = down.min(place.bottom()) - up.max(place.top);
            if (place.left..=place.right()).contains(x) { common.max(0.0) } else { 0.0 }
        };
        Hidden { lines, bands: self.bands.iter().map(overlap).sum() }
    }
}

/// How much a legend hides, of lines first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Hidden {
    pub(super) lines: usize,
    bands: f64,
}

/// A legend with so many columns.
pub(super) struct Legend<'a> {
    entries: &'a [(&'a str, &'static Style)],
    columns: Vec<f64>,
    rows: usize,
}

impl<'a> Legend<'a> {
    fn new(entries: &'a [(&'a str, &'static Style)], columns: usize) -> Self {
        let rows = entries.len().div_ceil(columns);
        let width =
            |(label, _): &(&str, _)| SAMPLE + GAP + font::width(label, SIZE, Weight::Regular);
        let widest = |column: &[(&str, _)]| column.iter().map(width).fold(0.0, f64::max);
        Self { entries, columns: entries.chunks(rows).map(widest).collect(), rows }
    }

    fn size(&self) -> [f64; 2] {
        let between = 2.0 * GAP * (self.columns.len() - 1) as f64;
        let width = self.columns.iter().sum::<f64>() + between + 2.0 * PADDING;
        [width, self.rows as f64 * ROW + 2.0 * PADDING - 3.0]
    }

    /// The corners, and the middle of the top and of the bottom.
    fn places(&self, frame: &Frame) -> [Frame; 6] {
        let [width, height] = self.size();
        let (left, right) = (frame.left + INSET, frame.right() - INSET - width);
        let (top, bottom) = (frame.top + INSET, frame.bottom() - INSET - height);
        let middle = frame.middle()[0] - width / 2.0;
        [
            (right, top),
            (left, top),
            (right, bottom),
            (left, bottom),
            (middle, top),
            (middle, bottom),
        ]
        .map(|(left, top)| Frame { left, top, width, height })
    }

    /// The legend, the place within the plot where it hides least, and how much that is. Ties go to fewer columns.
    pub(super) fn best(
        entries: &'a [(&'a str, &'static Style)],
        frame: &Frame,
        obstacles: &Obstacles,
    ) -> Option<(Self, Frame, Hidden)> {
        let mut best: Option<(Self, Frame, Hidden)> = None;
        for columns in 1..=entries.len().min(3) {
            let legend = Self::new(entries, columns);
            let [width, height] = legend.size();
            let fits = width + 2.0 * INSET <= frame.width && height + 2.0 * INSET <= frame.height;
            // One column is drawn even if it does not fit: there is nothing narrower.
            if !fits && columns > 1 {
                continue;
            }
            for place in legend.places(frame) {
                let hidden = obstacles.hidden_by(&place);
                if best.as_ref().is_none_or(|(_, _, least)| hidden < *least) {
                    best = Some((Self::new(entries, columns), place, hidden));
                }
            }
        }
        best
    }

    pub(super) fn element(&self, place: &Frame) -> String {
        let back = r##"rx="3" fill="#fff" fill-opacity="0.93" stroke="#bbb" stroke-width="0.8""##;
        let mut out = rectangle(place, back);
        let mut left = place.left + PADDING;
        for (column, width) in self.entries.chunks(self.rows).zip(&self.columns) {
            for (row, (label, style)) in column.iter().enumerate() {
                let middle = place.top + PADDING + ROW * (row as f64 + 0.5) - 1.5;
                let (from, to) = ([left, middle], [left + SAMPLE, middle]);
                out += &stroke(from, to, &series::pen(style));
                let centre = [left + SAMPLE / 2.0, middle];
                out += &style.shape.element(centre, MARKER_REACH, style.colour);
                let at = [left + SAMPLE + GAP, middle + 0.36 * SIZE];
                out += &Text::new(at, Anchor::Start, SIZE, label).level();
            }
            left += width + 2.0 * GAP;
        }
        format!("<g class=\"legend\">\n{out}</g>\n")
    }
}
