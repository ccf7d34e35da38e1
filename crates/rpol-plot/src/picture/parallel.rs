//! Every trial across all parameters.

use super::axis::Axis;
use super::data::{self, Point};
use super::look::{self, FAINT, INFEASIBLE};
use super::sheet::{EDGE, Key, Sheet, WIDTH, line_key};
use super::slice::number;
use super::spread;
use super::words;
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::svg::{Anchor, Text, rectangle, stroke};
use rpol::study::Direction;
use rpol::{Param, Params, Study};

const HEIGHT: f64 = 320.0;
const SIZE: f64 = 12.5;
/// Axes of one picture, beside that of the objective.
const MOST: usize = 11;
/// Lines of one picture: the last trials.
const MOST_LINES: usize = 600;
const APART: f64 = 105.0;

/// Parallel coordinates: a line a trial, grey where it broke a limit, else darker the better its objective.
#[must_use]
pub fn parallel(study: &Study) -> String {
    let title = format!("Parallel coordinates: {}", words::aim(study));
    let points = data::points(study);
    if points.is_empty() {
        return Sheet::new(&title).empty("No trial has a value of the objective yet.");
    }
    let points = &points[points.len().saturating_sub(MOST_LINES)..];
    let space = study.spec().params.params();
    let free: Vec<_> = space.iter().filter(|(_, param)| !param.is_fixed()).collect();
    let shown = &free[..free.len().min(MOST)];
    let range = spread::range(points.iter().map(|point| point.value), &[]);
    let mut axes: Vec<Axis> = shown.iter().map(|(name, param)| Axis::of(name, param, 5)).collect();
    axes.push(Axis::straight(&words::metric(study), range, 5, 0.0));
    let width = WIDTH.max(APART * axes.len() as f64 + 2.0 * EDGE);
    let mut sheet = Sheet::wide(&title, width);
    let plot = Plot::new(&axes, width, sheet.top + 22.0);
    let goodness = |value: f64| {
        let share = axes[axes.len() - 1].share(value);
        if study.spec().objective.direction() == Direction::Maximize { share } else { 1.0 - share }
    };
    for point in ordered(points, goodness) {
        let trial = &study.trials()[point.number as usize];
        let values = across(shown, &trial.params, point.value);
        sheet.draw(&plot.line(&values, &pen(point, goodness(point.value))));
    }
    let baseline = study.spec().baseline.as_ref().zip(data::baseline(study));
    if let Some((baseline, value)) = &baseline {
        let line = plot.line(&across(shown, &baseline.params, *value), &look::baseline_pen());
        sheet.draw(&format!("<g class=\"baseline\">{line}</g>\n"));
    }
    sheet.draw(&plot.axes(goodness));
    sheet.top = plot.bottom + 16.0;
    sheet.key(&key(points, baseline.is_some()));
    sheet.finish(&caption(study, points.len(), free.len()))
}

/// The values of a setting on every axis, the objective last.
fn across(shown: &[(&String, &Param)], setting: &Params, objective: f64) -> Vec<f64> {
    let own = |(name, param): &(&String, &Param)| number(param, setting.get(*name)?);
    shown.iter().filter_map(own).chain([objective]).collect()
}

/// Grey ones under the others, and the best on top.
fn ordered(points: &[Point], goodness: impl Fn(f64) -> f64) -> Vec<&Point> {
    let mut points: Vec<&Point> = points.iter().collect();
    let rank = |point: &Point| {
        let is_feasible = point.feasible == Some(true);
        (is_feasible, if is_feasible { goodness(point.value) } else { 0.0 })
    };
    points.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    points
}

fn pen(point: &Point, goodness: f64) -> String {
    let (class, colour, width) = match point.feasible {
        Some(true) => ("feasible", look::ramp(0.15 + 0.85 * goodness.clamp(0.0, 1.0)), 1.5),
        Some(false) => ("infeasible", INFEASIBLE.into(), 1.0),
        None => ("unknown", FAINT.into(), 0.8),
    };
    format!(
        "class=\"{class}\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-opacity=\"0.85\""
    )
}

/// The axes side by side.
struct Plot<'a> {
    axes: &'a [Axis],
    top: f64,
    bottom: f64,
    left: f64,
    apart: f64,
}

impl<'a> Plot<'a> {
    fn new(axes: &'a [Axis], width: f64, top: f64) -> Self {
        let (left, right) = (EDGE + 56.0, 70.0);
        let apart = (width - left - right) / (axes.len() - 1).max(1) as f64;
        Self { axes, top, bottom: top + HEIGHT, left, apart }
    }

    fn x(&self, k: usize) -> f64 {
        self.left + self.apart * k as f64
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - share.clamp(0.0, 1.0) * HEIGHT
    }

    fn line(&self, values: &[f64], look: &str) -> String {
        let at = |(k, v): (usize, &f64)| [self.x(k), self.y(self.axes[k].share(*v))];
        look::line(&values.iter().enumerate().map(at).collect::<Vec<_>>(), look)
    }

    /// Every axis with its values, over the lines; that of the objective in its colours.
    fn axes(&self, goodness: impl Fn(f64) -> f64) -> String {
        const STRIPES: usize = 40;
        let last = self.axes.len() - 1;
        let mut out = String::new();
        let height = HEIGHT / STRIPES as f64;
        for i in 0..STRIPES {
            let value = self.axes[last].value((i as f64 + 0.5) / STRIPES as f64);
            let top = self.bottom - (i + 1) as f64 * height;
            let stripe = Frame { left: self.x(last), top, width: 10.0, height: height + 0.4 };
            let colour = look::ramp(0.15 + 0.85 * goodness(value));
            out += &rectangle(&stripe, &format!("fill=\"{colour}\""));
        }
        (0..=last).for_each(|k| out += &self.axis(k, if k == last { 12.0 } else { 2.0 }));
        out
    }

    fn axis(&self, k: usize, away: f64) -> String {
        let (axis, x) = (&self.axes[k], self.x(k));
        let mut out =
            stroke([x, self.top], [x, self.bottom], r##"stroke="#333" stroke-width="1.2""##);
        let every = axis.ticks.len().div_ceil(12);
        for (share, label) in axis.ticks.iter().step_by(every.max(1)) {
            let y = self.y(*share);
            out += &stroke([x - 3.0, y], [x + 3.0, y], r##"stroke="#333""##);
            let label = font::cut(label, SIZE, Weight::Regular, self.apart.min(120.0) - 14.0);
            let at = [x + 3.0 + away, y + 4.0];
            // A light rim keeps the values readable over the lines.
            out += &format!(
                "<g stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</g>\n",
                Text::new(at, Anchor::Start, SIZE, &label).level()
            );
        }
        let room = self.apart.min(160.0) - 6.0;
        let name = font::cut(&axis.name, 13.0, Weight::Bold, room);
        out + &Text::new([x, self.top - 9.0], Anchor::Middle, 13.0, &name).bold().level()
    }
}

fn key(points: &[Point], baseline: bool) -> Vec<Key<'static>> {
    let has = |feasible| points.iter().any(|point| point.feasible == feasible);
    let pen = |colour: &str| format!("stroke=\"{colour}\" stroke-width=\"2\"");
    let mut key: Vec<Key> = Vec::new();
    if has(Some(true)) {
        key.push((line_key(pen(&look::ramp(1.0))), "feasible, good"));
        key.push((line_key(pen(&look::ramp(0.25))), "feasible, less good"));
    }
    if has(Some(false)) {
        key.push((line_key(pen(INFEASIBLE)), "infeasible"));
    }
    if has(None) {
        key.push((line_key(pen(FAINT)), "a limit is not measured yet"));
    }
    if baseline {
        key.push((line_key(look::baseline_pen()), "baseline"));
    }
    key
}

fn caption(study: &Study, lines: usize, free: usize) -> String {
    let mut words = format!("A line stands for one of {}.", words::count(lines, "trial"));
    if lines == MOST_LINES {
        words += " Those are the last ones.";
    }
    let fixed = study.spec().params.params().len() - free;
    if fixed > 0 {
        words += &format!(" Fixed and not drawn: {}.", words::count(fixed, "parameter"));
    }
    if free > MOST {
        words += &format!(" Not drawn: {} more.", words::count(free - MOST, "parameter"));
    }
    words
}
