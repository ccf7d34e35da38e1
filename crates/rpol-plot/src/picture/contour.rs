//! What the models believe over two parameters.

use super::axis::Axis;
use super::data::{self, Field};
use super::look;
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Key, Sheet, WIDTH, dot_key, line_key};
use super::words;
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::marker::Shape;
use crate::figure::region;
use crate::figure::scale::Ticks;
use crate::figure::svg::{Anchor, Text, number, rectangle, stroke};
use rpol::Study;
use rpol::study::{Direction, Prediction};

const SIDE: f64 = 430.0;
const LEVELS: usize = 9;
const BORDER: &str = r##"stroke="#222" stroke-width="1.6""##;
const HATCH: &str = r##"fill="none" stroke="#fff" stroke-width="1.6" stroke-opacity="0.75""##;

/// The objective's mean over two parameters, hatched where the models hold a constraint broken, with the trials and
/// the incumbent. The names must be of numbers that vary; without names it says why there is nothing to show.
#[must_use]
pub fn contour(study: &Study, params: Option<&[String; 2]>) -> String {
    let mut sheet =
        Sheet::new(&format!("Contours of the expected objective: {}", words::aim(study)));
    let Some(field) = params.and_then(|params| data::field(study, params)) else {
        return sheet.empty("Contours need two numeric parameters that vary.");
    };
    if field.places.is_empty() {
        return sheet
            .empty("There is no model to show: it begins with the first ask after measurements.");
    }
    let space = study.spec().params.params();
    let axes = [0, 1].map(|d| Axis::of(&field.params[d], &space[&field.params[d]], 6));
    let left = EDGE + panel::left_of(&axes[1]) + 30.0;
    let frame = Frame { left, top: sheet.top + 18.0, width: SIDE, height: SIDE };
    let panel = Panel { frame, x: &axes[0], y: &axes[1] };
    let levels = Levels::of(study, &field);
    let [x, y] = [frame.left, frame.top].map(number);
    sheet.draw(&format!("<g transform=\"translate({x} {y})\">\n"));
    sheet.draw(&rectangle(
        &Frame { left: 0.0, top: 0.0, ..frame },
        &format!("fill=\"{}\"", levels.colour(0)),
    ));
    sheet.draw(&filled(&field, &levels));
    sheet.draw(&limits(&field));
    sheet.draw("</g>\n");
    sheet.draw(&trials(study, &panel, &field.params));
    sheet.draw(&panel.surroundings());
    sheet.draw(&levels.bar(&frame, &words::metric(study)));
    sheet.top = frame.bottom() + BELOW;
    sheet.key(&key(!study.spec().constraints.is_empty(), study.spec().baseline.is_some()));
    sheet.finish("The other parameters are as in the incumbent, so trials at other settings need not match the ground.")
}

/// A quantity over the unit square, y down.
fn between(field: &Field, [x, y]: [f64; 2], of: impl Fn(&Prediction) -> f64) -> f64 {
    field.at([x, 1.0 - y], of)
}

/// The values at which the colour changes.
struct Levels {
    values: Vec<f64>,
    ticks: Ticks,
    larger_is_better: bool,
}

impl Levels {
    fn of(study: &Study, field: &Field) -> Self {
        let means = field.places.iter().map(|p| super::axis::sound(p.objective.mean));
        let ends = means.fold([f64::MAX, f64::MIN], |[l, h], m| [l.min(m), h.max(m)]);
        let ends = if ends[1] - ends[0] > 1e-6 * ends[0].abs().max(ends[1].abs()) {
            ends
        } else {
            crate::figure::range::widened(ends)
        };
        let ticks = Ticks::new(ends, LEVELS, 0.0);
        let larger_is_better = study.spec().objective.direction() == Direction::Maximize;
        let values =
            ticks.values.iter().copied().filter(|v| *v > ends[0] && *v < ends[1]).collect();
        Self { values, ticks, larger_is_better }
    }

    /// The colour above the `k`-th level, 0 for below the first.
    fn colour(&self, k: usize) -> String {
        let share = k as f64 / self.values.len().max(1) as f64;
        look::ramp(if self.larger_is_better { share } else { 1.0 - share })
    }

    /// What the colours mean, beside the frame.
    fn bar(&self, frame: &Frame, metric: &str) -> String {
        let height = frame.height / (self.values.len() + 1) as f64;
        let left = frame.right() + 22.0;
        let mut out = String::new();
        for k in 0..=self.values.len() {
            let top = frame.bottom() - (k + 1) as f64 * height;
            let swatch = Frame { left, top, width: 16.0, height };
            out += &rectangle(&swatch, &format!("fill=\"{}\"", self.colour(k)));
        }
        for (k, value) in self.values.iter().enumerate() {
            let y = frame.bottom() - (k + 1) as f64 * height;
            out += &stroke([left + 16.0, y], [left + 20.0, y], r##"stroke="#444""##);
            let at = [left + 24.0, y + 4.5];
            out += &Text::new(at, Anchor::Start, panel::SIZE, &self.ticks.label(*value)).level();
        }
        let room = WIDTH - left - EDGE;
        let name =
            font::cut(&(metric.to_string() + &self.ticks.unit()), 13.0, Weight::Regular, room);
        let name = Text::new([left, frame.top - 6.0], Anchor::Start, 13.0, &name).level();
        format!("<g class=\"scale\">\n{out}{name}</g>\n")
    }
}

fn filled(field: &Field, levels: &Levels) -> String {
    let mut out = String::new();
    for (k, level) in levels.values.iter().enumerate() {
        let above = |at: [f64; 2]| between(field, at, |p| p.objective.mean) >= *level;
        let colour = levels.colour(k + 1);
        let path = region::outline(&above, SIDE);
        if !path.is_empty() {
            out += &format!(
                "<path d=\"{path}\" fill=\"{colour}\" fill-rule=\"evenodd\" stroke=\"#fff\" stroke-opacity=\"0.5\" stroke-width=\"0.6\"/>\n"
            );
        }
    }
    format!("<g class=\"levels\">\n{out}</g>\n")
}

/// The border of what the models hold feasible, and hatching beyond it.
fn limits(field: &Field) -> String {
    let count = field.places[0].constraints.len();
    let broken =
        |at: [f64; 2]| (0..count).any(|i| between(field, at, |p| p.constraints[i].mean) > 0.0);
    let outline = region::outline(&broken, SIDE);
    if outline.is_empty() {
        return String::new();
    }
    let hatching = region::hatching(&broken, SIDE, -1.0);
    format!(
        "<g class=\"broken\">\n<path d=\"{outline}\" fill=\"#888\" fill-opacity=\"0.35\" fill-rule=\"evenodd\"/>\n<path d=\"{hatching}\" {HATCH}/>\n<path d=\"{outline}\" fill=\"none\" {BORDER}/></g>\n"
    )
}

fn trials(study: &Study, panel: &Panel, params: &[String; 2]) -> String {
    let points = data::points(study);
    let at = |setting: &rpol::Params| {
        let value = |d: usize| setting.get(&params[d])?.as_f64();
        Some(panel.at([value(0)?, value(1)?]))
    };
    let place = |point: &data::Point| at(&study.trial(point.number).ok()?.params);
    let mut out = look::all(&points, look::radius(points.len()), place);
    let baseline = study.spec().baseline.as_ref().and_then(|baseline| at(&baseline.params));
    out += &format!(
        "<g class=\"baseline\">{}</g>\n",
        baseline.map_or_else(String::new, look::baseline)
    );
    let star = study.incumbent().ok().flatten().and_then(|setting| at(&setting));
    let star = star.map_or(String::new(), |at| Shape::Star.element(at, 8.0, "#000"));
    out + &format!("<g class=\"incumbent\">{star}</g>\n")
}

fn key(limits: bool, baseline: bool) -> Vec<Key<'static>> {
    let mut key: Vec<Key> = vec![(dot_key(Some(true)), "feasible trial")];
    if limits {
        key.push((dot_key(Some(false)), "infeasible trial"));
    }
    key.push((Box::new(|at| Shape::Star.element(at, 6.0, "#000")), "incumbent"));
    if baseline {
        key.push((Box::new(look::baseline), "baseline"));
    }
    if limits {
        key.push((line_key(BORDER.into()), "border of the limits; hatched: believed broken"));
    }
    key
}
