//! What the shades, points and marks of the maps mean, in rows under them.

use super::PointMaps;
use super::panel::{self, POINT_LOOK};
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::region;
use crate::figure::svg::{Anchor, Text, dot, number};

const SIZE: f64 = 15.0;
const ROW: f64 = 24.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 24.0;
const SWATCH: [f64; 2] = [30.0, 15.0];

/// A sample with its meaning; the sample is drawn about the middle of its left end.
struct Entry<'a> {
    width: f64,
    sample: Box<dyn Fn([f64; 2]) -> String + 'a>,
    words: String,
}

impl Entry<'_> {
    fn length(&self) -> f64 {
        self.width + GAP + font::width(&self.words, SIZE, Weight::Regular)
    }

    fn drawn(&self, left: f64, middle: f64) -> String {
        let at = [left + self.width + GAP, middle + 0.36 * SIZE];
        (self.sample)([left, middle]) + &Text::new(at, Anchor::Start, SIZE, &self.words).level()
    }
}

/// The key in centred rows from `top` down, and where it ends.
pub(super) fn drawn(maps: &PointMaps, top: f64, [left, right]: [f64; 2]) -> (String, f64) {
    let mut rows: Vec<Vec<Entry>> = vec![Vec::new()];
    let length =
        |row: &[Entry]| row.iter().map(|entry| entry.length() + BETWEEN).sum::<f64>() - BETWEEN;
    for entry in entries(maps) {
        let last = rows.len() - 1;
        let longer = length(&rows[last]) + BETWEEN + entry.length();
        if !rows[last].is_empty() && longer > right - left {
            rows.push(vec![entry]);
        } else {
            rows[last].push(entry);
        }
    }
    let mut out = String::new();
    for (k, row) in rows.iter().enumerate() {
        let middle = top + ROW * (k as f64 + 0.5);
        let mut at = left + ((right - left - length(row)) / 2.0).max(0.0);
        for entry in row {
            out += &entry.drawn(at, middle);
            at += entry.length() + BETWEEN;
        }
    }
    (format!("<g class=\"legend\">\n{out}</g>\n"), top + ROW * rows.len() as f64 + 6.0)
}

fn entries<'a>(maps: &'a PointMaps) -> Vec<Entry<'a>> {
    let region = |(k, (label, _)): (usize, &(String, _))| Entry {
        width: SWATCH[0],
        sample: Box::new(move |at| swatch(k, at)),
        words: label.clone(),
    };
    let optimum = |(k, (label, _)): (usize, &(String, _))| Entry {
        width: 14.0,
        sample: Box::new(move |[x, y]| panel::optimum(k, [x + 7.0, y])),
        words: label.clone(),
    };
    let points = Entry { width: 62.0, sample: Box::new(dots), words: "first to last round".into() };
    let regions = maps.regions.iter().enumerate().map(region);
    let optima = maps.optima.iter().enumerate().map(optimum);
    regions.chain(optima).chain([points]).collect()
}

/// A piece of the `k`-th region.
fn swatch(k: usize, [x, y]: [f64; 2]) -> String {
    let [width, height] = SWATCH;
    let frame = Frame { left: 0.0, top: 0.0, width, height };
    let square = format!("M0,0H{}V{}H0Z", number(frame.width), number(frame.height));
    let look = panel::ground(k);
    let mut out = look.shade(&square);
    if let Some(slope) = look.slope {
        let within = |at: [f64; 2]| at[1] * width <= height;
        out += &look.hatch(&region::hatching(&within, width, slope));
    }
    out += &look.outline(&square);
    let [left, top] = [x, y - height / 2.0].map(number);
    format!("<g transform=\"translate({left} {top})\">\n{out}</g>\n")
}

/// Points from early to late.
fn dots([x, y]: [f64; 2]) -> String {
    let one = |i: usize| {
        let late = i as f64 / 4.0;
        let fill = panel::faded(late);
        let dot = dot([x + 5.0 + 13.0 * i as f64, y], 4.0);
        format!("<g fill=\"{fill}\" {POINT_LOOK}>{dot}</g>\n")
    };
    (0..5).map(one).collect()
}
