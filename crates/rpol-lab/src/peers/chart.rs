//! CPU time of an ask against the number of observations, both logarithmic.

use super::PROBLEMS;
use super::results::{Results, Speed};
use rpol_plot::drawing::{self, Axis, EDGE, Frame, Key, Panel, Sheet, Style, WIDTH, pair};

const GUTTER: f64 = 18.0;
const HEIGHT: f64 = 360.0;
/// Half the width of a mark.
const REACH: f64 = 4.6;
/// The axes reach so many times beyond what is drawn.
const BEYOND: f64 = 1.25;

/// A panel a problem, a line an optimizer; an SVG file.
#[must_use]
pub fn chart(results: &[Results]) -> String {
    let mut sheet = Sheet::new("CPU time of an ask and its tell");
    let panels: Vec<Vec<Vec<[f64; 2]>>> = PROBLEMS
        .iter()
        .map(|(name, _)| results.iter().map(|each| line(each, name)).collect())
        .collect();
    let places: Vec<[f64; 2]> = panels.iter().flatten().flatten().copied().collect();
    if places.is_empty() {
        return sheet.empty("Nothing has been measured yet.");
    }
    let axes = ["observations", "milliseconds"].into_iter().enumerate();
    let axes: Vec<Axis> = axes.map(|(i, name)| Axis::log(name, range(&places, i))).collect();
    let styles = drawing::styles(results.iter().map(|each| each.label.as_str()));
    let margin = EDGE + drawing::left_of(&axes[1]);
    let width = (WIDTH - EDGE - margin - GUTTER) / PROBLEMS.len() as f64;
    for (i, (lines, (_, what))) in panels.iter().zip(PROBLEMS).enumerate() {
        let left = margin + (width + GUTTER) * i as f64;
        let frame = Frame { left, top: sheet.top + 22.0, width, height: HEIGHT };
        let panel = Panel { frame, x: &axes[0], y: &axes[1] };
        let drawn = lines.iter().zip(&styles).map(|(line, style)| drawn(&panel, line, style));
        sheet.draw(&(panel.grid() + &drawn.collect::<String>()));
        sheet.draw(&panel.surroundings_of_row(i == 0));
        sheet.draw(&panel.heading(what, ""));
    }
    sheet.top += 22.0 + HEIGHT + drawing::BELOW;
    let keys = results.iter().zip(&styles).map(|(each, style)| key(&each.label, style));
    sheet.key(&keys.collect::<Vec<Key>>());
    sheet.finish(
        "One thread each. rpol: the median round without a refit; the others learn their hyper-parameters at every ask.",
    )
}

/// Observations and milliseconds.
fn line(results: &Results, problem: &str) -> Vec<[f64; 2]> {
    let place = |(n, speed): (&usize, &Speed)| [*n as f64, 1e3 * speed.usual()];
    results.speed.get(problem).into_iter().flatten().map(place).collect()
}

fn range(places: &[[f64; 2]], i: usize) -> [f64; 2] {
    let values = || places.iter().map(|place| place[i]);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    [low / BEYOND, high * BEYOND]
}

fn drawn(panel: &Panel<'_>, line: &[[f64; 2]], style: &Style) -> String {
    let corners: Vec<[f64; 2]> = line.iter().map(|place| panel.at(*place)).collect();
    let path: Vec<String> = corners.iter().map(|at| pair(*at)).collect();
    let marks = corners.iter().map(|at| style.shape.element(*at, REACH, style.colour));
    if corners.is_empty() {
        return String::new();
    }
    let pen = format!(r#"fill="none" stroke="{}" stroke-width="2""#, style.colour);
    format!("<path d=\"M{}\" {pen}/>\n", path.join("L")) + &marks.collect::<String>()
}

fn key<'a>(name: &'a str, style: &'static Style) -> Key<'a> {
    (Box::new(move |at| style.shape.element(at, 5.5, style.colour)), name)
}
