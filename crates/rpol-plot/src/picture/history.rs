//! The optimization history: what every trial was worth, and the best so far.

use super::axis::Axis;
use super::data::{self, History, Point};
use super::look::{self, BASELINE, BEST};
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Key, Sheet, WIDTH, dot_key, line_key};
use super::spread;
use super::words;
use crate::figure::frame::Frame;
use crate::figure::svg::{Anchor, Text, stroke};
use rpol::Study;

const HEIGHT: f64 = 320.0;

/// The objective of every trial, grey where it broke a limit, and the line of the best feasible one so far.
#[must_use]
pub fn history(study: &Study) -> String {
    let history = data::history(study);
    let mut sheet = Sheet::new(&format!("Optimization history: {}", words::aim(study)));
    if history.trials == 0 {
        return sheet.empty("There is no trial yet.");
    }
    if history.points.is_empty() && history.failed.is_empty() {
        return sheet.empty("No trial has a value of the objective yet.");
    }
    let must: Vec<f64> =
        history.best.last().map(|(_, value)| *value).into_iter().chain(history.baseline).collect();
    let range = spread::range(history.points.iter().map(|p| p.value), &must);
    let x = Axis::counted("trial", history.trials, 8);
    let y = Axis::straight(&words::metric(study), range, 6, 0.0);
    let left = EDGE + panel::left_of(&y);
    let frame = Frame { left, top: sheet.top, width: WIDTH - left - 24.0, height: HEIGHT };
    let panel = Panel { frame, x: &x, y: &y };
    sheet.draw(&panel.grid());
    sheet.draw(&drawn(&panel, &history));
    sheet.draw(&panel.surroundings());
    sheet.top = frame.bottom() + BELOW;
    sheet.key(&key(&history));
    sheet.finish(&caption(&history, range))
}

fn drawn(panel: &Panel, history: &History) -> String {
    let mut out = String::new();
    if let Some(baseline) = history.baseline {
        let y = panel.up(baseline);
        let ends = [[panel.frame.left, y], [panel.frame.right(), y]];
        out += &format!(
            "<g class=\"baseline\">{}</g>\n",
            stroke(ends[0], ends[1], &look::baseline_pen())
        );
        let below = if y < panel.frame.top + 20.0 { 15.0 } else { -6.0 };
        let label = Text::new([ends[1][0] - 6.0, y + below], Anchor::End, panel::SIZE, "baseline");
        out += &format!("<g fill=\"{BASELINE}\">{}</g>\n", label.level());
    }
    let place = |point: &Point| Some(panel.at([point.number as f64, point.value]));
    out += &look::all(&history.points, look::radius(history.points.len()), place);
    out += &format!("<g class=\"best\">{}</g>\n", look::line(&steps(panel, history), &best_pen()));
    out + &look::failures(panel, &history.failed)
}

/// Level until the next improvement, and on to the end.
fn steps(panel: &Panel, history: &History) -> Vec<[f64; 2]> {
    let mut places: Vec<[f64; 2]> = Vec::new();
    for (number, value) in &history.best {
        let at = panel.at([*number as f64, *value]);
        places.extend(places.last().map(|before| [at[0], before[1]]));
        places.push(at);
    }
    let end = panel.across(history.trials as f64 - 1.0);
    places.extend(places.last().map(|last| [end, last[1]]));
    places
}

fn best_pen() -> String {
    format!("stroke=\"{BEST}\" stroke-width=\"2\" stroke-linejoin=\"round\"")
}

fn key(history: &History) -> Vec<Key<'static>> {
    let has = |feasible| history.points.iter().any(|point| point.feasible == feasible);
    let mut key: Vec<Key> = Vec::new();
    if has(Some(true)) {
        key.push((dot_key(Some(true)), "feasible"));
        key.push((line_key(best_pen()), "best feasible so far"));
    }
    if has(Some(false)) {
        key.push((dot_key(Some(false)), "infeasible"));
    }
    if has(None) {
        key.push((dot_key(None), "a limit is not measured yet"));
    }
    if !history.failed.is_empty() {
        key.push((line_key(look::failed_pen()), "failed"));
    }
    key
}

fn caption(history: &History, [low, high]: [f64; 2]) -> String {
    let count = |feasible| history.points.iter().filter(|p| p.feasible == feasible).count();
    let mut words = format!(
        "{}: {} feasible, {} infeasible, {} failed.",
        words::count(history.trials, "trial"),
        count(Some(true)),
        count(Some(false)),
        history.failed.len()
    );
    if let Some((number, value)) = history.best.last() {
        words += &format!(" Best feasible: {} in trial {number}.", words::shown(*value));
    } else {
        words += " None is feasible yet.";
    }
    let beyond = history.points.iter().filter(|p| !(low..=high).contains(&p.value)).count();
    if beyond > 0 {
        words += &format!(" {} far out stand at the edge.", words::count(beyond, "value"));
    }
    words
}
