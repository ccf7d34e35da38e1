//! What the models believe along each parameter.

use super::axis::Axis;
use super::data::{self, Slice};
use super::look::{self, FEASIBLE, MODEL};
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Key, Sheet, WIDTH, box_key, dot_key, line_key};
use super::spread;
use super::words;
use crate::figure::frame::Frame;
use crate::figure::marker::Shape;
use crate::figure::svg::rectangle;
use rpol::study::{Prediction, Trial};
use rpol::{Param, Study, Value};

/// Panels of one picture.
const MOST: usize = 24;
/// Points of one panel: the last trials.
const MOST_POINTS: usize = 500;
const HEIGHT: f64 = 190.0;
const GUTTER: f64 = 22.0;

/// For every parameter, or only those of the given names: the objective's mean and two deviations around it, the other
/// parameters as in the incumbent, shaded where the models hold every constraint; and what was observed.
#[must_use]
pub fn slice(study: &Study, params: &[String]) -> String {
    let mut sheet = Sheet::new(&format!("Slices through the incumbent: {}", words::aim(study)));
    if study.trials().is_empty() {
        return sheet.empty("There is no trial yet.");
    }
    let slices: Vec<Slice> = match params {
        [] => data::slices(study, MOST),
        named => named.iter().filter_map(|name| data::slice(study, name)).collect(),
    };
    if slices.is_empty() {
        return sheet.empty("No parameter of that name varies.");
    }
    let points = data::points(study);
    let points = &points[points.len().saturating_sub(MOST_POINTS)..];
    let y = Axis::straight(&words::metric(study), range(points, &slices), 5, 0.0);
    let columns = columns(slices.len());
    let left = EDGE + panel::left_of(&y);
    let width = (WIDTH - left - 24.0 - GUTTER * (columns - 1) as f64) / columns as f64;
    let mut bottom = sheet.top;
    for (k, slice) in slices.iter().enumerate() {
        let place = [k % columns, k / columns].map(|i| i as f64);
        let frame = Frame {
            left: left + place[0] * (width + GUTTER),
            top: sheet.top + place[1] * (HEIGHT + BELOW + 8.0),
            width,
            height: HEIGHT,
        };
        let param = &study.spec().params.params()[&slice.param];
        let x = Axis::of(&slice.param, param, if columns == 3 { 3 } else { 5 });
        let panel = Panel { frame, x: &x, y: &y };
        sheet.draw(&drawn(study, &panel, slice, points));
        sheet.draw(&panel.surroundings_of_row(k % columns == 0));
        bottom = frame.bottom() + BELOW;
    }
    sheet.top = bottom;
    let has_model = slices.iter().any(|slice| !slice.places.is_empty());
    let limits = !study.spec().constraints.is_empty();
    sheet.key(&key(has_model, limits));
    sheet.finish(&caption(study, has_model, slices.len(), params.is_empty()))
}

fn columns(panels: usize) -> usize {
    match panels {
        1 => 1,
        2 | 4 => 2,
        _ => 3,
    }
}

fn range(points: &[data::Point], slices: &[Slice]) -> [f64; 2] {
    let means = slices.iter().flat_map(|slice| &slice.places).map(|(_, p)| p.objective.mean);
    spread::range(points.iter().map(|point| point.value).chain(means), &[])
}

fn drawn(study: &Study, panel: &Panel, slice: &Slice, points: &[data::Point]) -> String {
    let param = &study.spec().params.params()[&slice.param];
    let mut out = ground(panel, slice) + &panel.grid();
    out += &if matches!(param, Param::Categorical { .. }) {
        bars(panel, slice)
    } else {
        band(panel, slice, matches!(param, Param::Int { .. }))
    };
    let trials = study.trials();
    for feasible in [None, Some(false), Some(true)] {
        let own = points.iter().filter(|point| point.feasible == feasible);
        let place = |point: &data::Point| {
            let x = number(param, trials[point.number as usize].params.get(&slice.param)?)?;
            Some(look::dot(panel.at([x, point.value]), 0.75 * look::radius(points.len())))
        };
        out += &look::group(feasible, &own.filter_map(place).collect::<String>());
    }
    out + &incumbent(study, panel, slice, param)
}

/// Where the incumbent stands, on the model's mean.
fn incumbent(study: &Study, panel: &Panel, slice: &Slice, param: &Param) -> String {
    let place = || {
        let own = study.incumbent()?;
        let x = number(param, own.get(&slice.param)?)?;
        let belief = study.predict(&[own]).ok()??;
        Some([x, belief.first()?.objective.mean]).filter(|at| at[1].is_finite())
    };
    place().map_or(String::new(), |at| Shape::Star.element(panel.at(at), 5.0, "#000"))
}

/// A value as the axis has it.
pub(super) fn number(param: &Param, value: &Value) -> Option<f64> {
    match param {
        Param::Categorical { choices } => {
            choices.iter().position(|choice| choice.same(value)).map(|i| i as f64)
        }
        _ => value.as_f64(),
    }
}

/// Shades where every constraint is believed to be kept, darker where that is sure by two deviations.
fn ground(panel: &Panel, slice: &Slice) -> String {
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
    let limits = &prediction.constraints;
    let holds = |by: f64| limits.iter().all(|g| g.mean + by * g.deviation <= 0.0);
    match (limits.is_empty(), holds(0.0), holds(2.0)) {
        (false, true, true) => Some(SURE),
        (false, true, false) => Some(LIKELY),
        _ => None,
    }
}

const SURE: f64 = 0.26;
const LIKELY: f64 = 0.11;

/// The mean and two deviations on both sides; integers hold their value from half to half.
fn band(panel: &Panel, slice: &Slice, steps: bool) -> String {
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
fn bars(panel: &Panel, slice: &Slice) -> String {
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

fn band_look() -> String {
    format!("fill=\"{FEASIBLE}\" fill-opacity=\"0.18\"")
}

fn pen() -> String {
    format!("stroke=\"{FEASIBLE}\" stroke-width=\"2\"")
}

fn key(has_model: bool, limits: bool) -> Vec<Key<'static>> {
    let mut key: Vec<Key> = vec![(dot_key(Some(true)), "feasible trial")];
    if limits {
        key.push((dot_key(Some(false)), "infeasible trial"));
    }
    if has_model {
        key.push((line_key(pen()), "expected"));
        key.push((box_key(band_look()), "± 2 deviations"));
        key.push((Box::new(|at| Shape::Star.element(at, 5.0, "#000")), "incumbent"));
    }
    if has_model && limits {
        let shade = |opacity: f64| format!("fill=\"{MODEL}\" fill-opacity=\"{opacity}\"");
        key.push((box_key(shade(SURE)), "limits surely kept"));
        key.push((box_key(shade(LIKELY)), "probably kept"));
    }
    key
}

fn caption(study: &Study, has_model: bool, shown: usize, all: bool) -> String {
    let mut words = if has_model {
        "Each panel varies one parameter; the others are as in the incumbent, so trials at other settings need not lie \
         on the line."
            .to_string()
    } else {
        "There is no model to show: it begins with the first ask after measurements.".to_string()
    };
    let space = study.spec().params.params();
    let fixed = space.values().filter(|param| param.is_fixed()).count();
    if fixed > 0 && all {
        words += &format!(" {} fixed and not drawn.", is_or_are(fixed));
    }
    let more = space.len() - fixed - shown;
    if more > 0 && all {
        words += &format!(" {} more not drawn.", is_or_are(more));
    }
    if study.trials().iter().filter(|t| has_value(study, t)).count() > MOST_POINTS {
        words += &format!(" Points: the last {MOST_POINTS} trials.");
    }
    words
}

fn has_value(study: &Study, trial: &Trial) -> bool {
    trial.metrics.contains_key(study.spec().objective.metric())
}

fn is_or_are(n: usize) -> String {
    if n == 1 { "1 parameter is".into() } else { format!("{n} parameters are") }
}
