//! What is believed along one parameter, drawn.

use crate::figure::frame::Frame;
use crate::figure::svg::rectangle;
use crate::picture::data::Slice;
use crate::picture::look::{self, FEASIBLE, MODEL};
use crate::picture::panel::Panel;
use rpol::study::Prediction;

/// Shades where every constraint is believed to be kept, darker where that is sure by two deviations.
pub(super) fn ground(panel: &Panel, slice: &Slice) -> String {
    let mut out = String::new();
    let is_last = |i: usize| i + 1 == slice.places.len();
    for (i, (x, prediction)) in slice.places.iter().enumerate() {
        let Some(opacity) = shade(prediction) else { continue };
        let at = |j: usize| panel.across(slice.places[j].0);
        let edge = |a: usize, b: usize| (at(a) + at(b)) / 2.0;
        let half = panel.frame.width / slice.places.len() as f64 / 2.0;
        let choice = panel.x.is_choices();
        let left = if i == 0 { panel.frame.left } else { edge(i - 1, i) };
        let right = if is_last(i) { panel.frame.right() } else { edge(i, i + 1) };
        let [left, right] =
            if choice { [panel.across(*x) - half, panel.across(*x) + half] } else { [left, right] };
        let strip = Frame { left, width: right - left, ..panel.frame };
        out += &rectangle(&strip, &format!("fill=\"{MODEL}\" fill-opacity=\"{opacity}\""));
    }
    format!("<g class=\"held\" shape-rendering=\"crispEdges\">\n{out}</g>\n")
}

fn shade(prediction: &Prediction) -> Option<f64> {
    let holds = |deviations| prediction.is_feasible(deviations);
    match (prediction.constraints.is_empty(), holds(0.0), holds(2.0)) {
        (false, true, true) => Some(SURE),
        (false, true, false) => Some(LIKELY),
        _ => None,
    }
}

pub(super) const SURE: f64 = 0.26;
pub(super) const LIKELY: f64 = 0.11;

/// The mean and two deviations on both sides; integers hold their value from half to half.
pub(super) fn band(panel: &Panel, slice: &Slice, steps: bool) -> String {
    let edge = |by: f64| {
        let line: Vec<[f64; 2]> = slice
            .places
            .iter()
            .map(|(x, p)| panel.at([*x, p.objective.mean + by * p.objective.deviation]))
            .collect();
        if steps { stepped(&line) } else { line }
    };
    if slice.places.is_empty() {
        return String::new();
    }
    let mut outline = edge(2.0);
    outline.extend(edge(-2.0).into_iter().rev());
    look::area(&outline, &format!("class=\"band\" {}", band_look()))
        + &look::line(&edge(0.0), &pen())
}

fn stepped(line: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut out: Vec<[f64; 2]> = Vec::new();
    for pair in line.windows(2) {
        let middle = (pair[0][0] + pair[1][0]) / 2.0;
        out.extend([pair[0], [middle, pair[0][1]], [middle, pair[1][1]]]);
    }
    out.extend(line.last());
    out
}

/// Of every choice, its mean and two deviations on both sides.
pub(super) fn bars(panel: &Panel, slice: &Slice) -> String {
    let half = (0.3 * panel.frame.width / slice.places.len().max(1) as f64).min(24.0);
    let bar = |(x, p): &(f64, Prediction)| {
        let up = |by: f64| panel.up(p.objective.mean + by * p.objective.deviation);
        let x = panel.across(*x);
        let (top, bottom) = (up(2.0), up(-2.0));
        let frame = Frame { left: x - half, top, width: 2.0 * half, height: bottom - top };
        rectangle(&frame, &format!("class=\"band\" {}", band_look()))
            + &look::line(&[[x - half, up(0.0)], [x + half, up(0.0)]], &pen())
    };
    slice.places.iter().map(bar).collect()
}

pub(super) fn band_look() -> String {
    format!("fill=\"{FEASIBLE}\" fill-opacity=\"0.18\"")
}

pub(super) fn pen() -> String {
    format!("stroke=\"{FEASIBLE}\" stroke-width=\"2\"")
}
