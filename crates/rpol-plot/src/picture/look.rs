//! Colours that mean the same in every picture.

use crate::figure::svg::{number, pair};

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
    let along = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let from = (along as usize).min(RAMP.len() - 2);
    let rest = along - from as f64;
    let part = |i: usize| (RAMP[from][i] + rest * (RAMP[from + 1][i] - RAMP[from][i])).round();
    format!("#{:02x}{:02x}{:02x}", part(0) as u8, part(1) as u8, part(2) as u8)
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

/// The points of one such class.
pub(super) fn group(feasible: Option<bool>, dots: &str) -> String {
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

pub(super) fn dot([x, y]: [f64; 2], radius: f64) -> String {
    format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", number(x), number(y), number(radius))
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
