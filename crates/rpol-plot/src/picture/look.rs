//! Colours that mean the same in every picture.

use super::data::Point;
use super::panel::Panel;
use crate::figure::marker::Shape;
use crate::figure::style;
pub(super) use crate::figure::svg::dot;
use crate::figure::svg::{pair, stroke};

pub(super) const FEASIBLE: &str = "#1f77b4";
pub(super) const INFEASIBLE: &str = "#CCCCCC";
pub(super) const FAILED: &str = "#D55E00";
pub(super) const BEST: &str = "#0b3d62";
pub(super) const BUDGET: &str = "#c62828";
pub(super) const BASELINE: &str = "#6a4c93";
pub(super) const MODEL: &str = "#009E73";
pub(super) const FAINT: &str = "#666666";
/// The edge that keeps grey points visible on white.
const EDGE: &str = "#8a8a8a";

/// From the worst to the best: dark is good, and it stays readable in grey.
const RAMP: [[f64; 3]; 5] = [
    [240.0, 235.0, 190.0],
    [161.0, 210.0, 180.0],
    [65.0, 160.0, 190.0],
    [31.0, 100.0, 170.0],
    [20.0, 30.0, 90.0],
];

/// The colour of a value, 0 for the worst and 1 for the best.
pub(super) fn ramp(share: f64) -> String {
    style::blend(&RAMP, share)
}

/// Whether the limits were kept: yes, no, or not known.
fn colour(feasible: Option<bool>) -> &'static str {
    match feasible {
        Some(true) => FEASIBLE,
        Some(false) => INFEASIBLE,
        None => "#ffffff",
    }
}

/// How points look that kept the limits, did not, or of which it is not known.
pub(super) fn points(feasible: Option<bool>) -> String {
    let edge = match feasible {
        Some(true) => "#ffffff",
        Some(false) => EDGE,
        None => FEASIBLE,
    };
    format!("fill=\"{}\" stroke=\"{edge}\" stroke-width=\"0.6\"", colour(feasible))
}

/// The points where they belong, those that kept the limits over the others; `place` leaves out what has none.
pub(super) fn all(
    points: &[Point],
    radius: f64,
    place: impl Fn(&Point) -> Option<[f64; 2]>,
) -> String {
    let class = |feasible: Option<bool>| {
        let own = points.iter().filter(|point| point.feasible == feasible);
        let dots: String = own.filter_map(&place).map(|at| dot(at, radius)).collect();
        group(feasible, &dots)
    };
    [None, Some(false), Some(true)].map(class).concat()
}

/// The points of one such class.
fn group(feasible: Option<bool>, dots: &str) -> String {
    let class = match feasible {
        Some(true) => "feasible",
        Some(false) => "infeasible",
        None => "unknown",
    };
    if dots.is_empty() {
        return String::new();
    }
    format!("<g class=\"{class}\" {}>\n{dots}</g>\n", points(feasible))
}

/// Trials that failed, at the foot of a plot over trials: they gave no value.
pub(super) fn failures(panel: &Panel, failed: &[u64]) -> String {
    let foot = panel.frame.bottom();
    let tick = |number: &u64| {
        let x = panel.across(*number as f64);
        stroke([x, foot - 11.0], [x, foot], &failed_pen())
    };
    format!("<g class=\"failed\">\n{}</g>\n", failed.iter().map(tick).collect::<String>())
}

pub(super) fn failed_pen() -> String {
    format!("stroke=\"{FAILED}\" stroke-width=\"1.8\"")
}

pub(super) fn baseline_pen() -> String {
    format!("stroke=\"{BASELINE}\" stroke-width=\"1.4\" stroke-dasharray=\"7 4\"")
}

/// The baseline's own mark.
pub(super) fn baseline(at: [f64; 2]) -> String {
    Shape::Diamond.element(at, 6.0, BASELINE)
}

/// A line through places.
pub(super) fn line(places: &[[f64; 2]], look: &str) -> String {
    if places.len() < 2 {
        return String::new();
    }
    let places: Vec<String> = places.iter().map(|at| pair(*at)).collect();
    format!("<path d=\"M{}\" fill=\"none\" {look}/>\n", places.join(" "))
}

/// The area between places.
pub(super) fn area(places: &[[f64; 2]], look: &str) -> String {
    let places: Vec<String> = places.iter().map(|at| pair(*at)).collect();
    format!("<path d=\"M{}Z\" {look}/>\n", places.join(" "))
}

/// How large a point is among so many.
pub(super) fn radius(points: usize) -> f64 {
    match points {
        0..=150 => 3.8,
        151..=1000 => 2.8,
        _ => 1.8,
    }
}
