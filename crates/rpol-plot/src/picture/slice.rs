//! What the models believe along each parameter.

mod belief;

use self::belief::{LIKELY, SURE, band, band_look, bars, ground, pen};
use super::axis::Axis;
use super::data::{self, Slice};
use super::look::{self, MODEL};
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Key, Sheet, WIDTH, box_key, dot_key, line_key};
use super::spread;
use super::words;
use crate::figure::frame::Frame;
use crate::figure::marker::Shape;
use rpol::study::Trial;
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
    sheet.key(&key(has_model, limits, data::baseline(study).is_some()));
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
    let place = |point: &data::Point| {
        let x = number(param, study.trial(point.number).ok()?.params.get(&slice.param)?)?;
        Some(panel.at([x, point.value]))
    };
    out += &look::all(points, 0.75 * look::radius(points.len()), place);
    out + &baseline(study, panel, slice, param) + &incumbent(study, panel, slice, param)
}

/// Where the baseline stands, at its own value.
fn baseline(study: &Study, panel: &Panel, slice: &Slice, param: &Param) -> String {
    let place = || {
        let x = number(param, study.spec().baseline.as_ref()?.params.get(&slice.param)?)?;
        Some(panel.at([x, data::baseline(study)?]))
    };
    let mark = place().map_or_else(String::new, look::baseline);
    format!("<g class=\"baseline\">{mark}</g>\n")
}

/// Where the incumbent stands, on the model's mean.
fn incumbent(study: &Study, panel: &Panel, slice: &Slice, param: &Param) -> String {
    let place = || {
        let own = study.incumbent().ok()??;
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

fn key(has_model: bool, limits: bool, baseline: bool) -> Vec<Key<'static>> {
    let mut key: Vec<Key> = vec![(dot_key(Some(true)), "feasible trial")];
    if limits {
        key.push((dot_key(Some(false)), "infeasible trial"));
    }
    if has_model {
        key.push((line_key(pen()), "expected"));
        key.push((box_key(band_look()), "± 2 deviations"));
        key.push((Box::new(|at| Shape::Star.element(at, 5.0, "#000")), "incumbent"));
    }
    if baseline {
        key.push((Box::new(look::baseline), "baseline"));
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
