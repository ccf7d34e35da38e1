//! What is drawn into a map: regions, points, optima.

use super::Panel;
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::marker::Shape;
use crate::figure::scale::Scale;
use crate::figure::style;
use crate::figure::svg::{Anchor, Text, dot};

/// Room for the name of a panel.
pub(super) const HEADING: f64 = 24.0;
const NAME_SIZE: f64 = 15.0;
/// Shades from the first round to the last.
const SHADES: usize = 16;
/// From light to dark, so that the order shows without colour too.
const FADE: [[f64; 3]; 4] =
    [[255.0, 238.0, 190.0], [247.0, 168.0, 72.0], [213.0, 94.0, 0.0], [92.0, 24.0, 10.0]];
pub(super) const POINT_LOOK: &str = r##"stroke="#3a2a20" stroke-width="0.5""##;

/// How a region is drawn.
pub(super) struct Ground {
    colour: &'static str,
    opacity: f64,
    /// Of its hatching lines.
    pub(super) slope: Option<f64>,
    dash: &'static str,
}

/// The look of the `k`-th region.
pub(super) fn ground(k: usize) -> Ground {
    let looks = [
        ("#009E73", 0.22, None, "none"),
        ("#0072B2", 0.10, Some(-1.0), "6 3"),
        ("#CC79A7", 0.14, Some(1.0), "2 2"),
        ("#555555", 0.10, Some(0.0), "8 3 2 3"),
    ];
    let (colour, opacity, slope, dash) = looks[k % looks.len()];
    Ground { colour, opacity, slope, dash }
}

impl Ground {
    pub(super) fn shade(&self, path: &str) -> String {
        let Self { colour, opacity, .. } = self;
        format!(
            "<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"{opacity}\" fill-rule=\"evenodd\"/>\n"
        )
    }

    pub(super) fn hatch(&self, path: &str) -> String {
        let colour = self.colour;
        format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.9\" stroke-opacity=\"0.55\"/>\n"
        )
    }

    pub(super) fn outline(&self, path: &str) -> String {
        let Self { colour, dash, .. } = self;
        format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" stroke-dasharray=\"{dash}\"/>\n"
        )
    }
}

/// The name above a panel, smaller if it is too long for it.
pub(super) fn heading(frame: &Frame, label: &str) -> String {
    let width = font::width(label, NAME_SIZE, Weight::Bold);
    let size = NAME_SIZE * (frame.width / width.max(1.0)).min(1.0);
    let at = [frame.middle()[0], frame.top - 7.0];
    Text::new(at, Anchor::Middle, size, label).bold().level()
}

/// The points in order, late ones over early ones.
pub(super) fn points(panel: &Panel, [x, y]: [Scale; 2]) -> String {
    let n = panel.points.len();
    let radius = match n {
        0..=120 => 3.7,
        121..=600 => 3.1,
        _ => 2.4,
    };
    let mut out = String::new();
    for shade in 0..SHADES {
        let part = shade * n / SHADES..(shade + 1) * n / SHADES;
        let dots: String = panel.points[part]
            .iter()
            .map(|[a, b]| [x.place(*a), y.place(*b)])
            .filter(|place| place.iter().all(|p| p.is_finite()))
            .map(|place| dot(place, radius))
            .collect();
        if !dots.is_empty() {
            let fill = faded(shade as f64 / (SHADES - 1) as f64);
            out += &format!("<g fill=\"{fill}\" {POINT_LOOK}>\n{dots}</g>\n");
        }
    }
    out
}

/// The colour of a point, 0 for the first round and 1 for the last.
pub(super) fn faded(late: f64) -> String {
    style::blend(&FADE, late)
}

/// The mark of the `k`-th optimum: large, with a light edge that parts it from points under it.
pub(super) fn optimum(k: usize, at: [f64; 2]) -> String {
    let shapes = [Shape::Star, Shape::Plus, Shape::Cross, Shape::Diamond];
    let shape = shapes[k % shapes.len()];
    let (edge, reach) = match shape {
        Shape::Plus | Shape::Cross => {
            (shape.element(at, 6.5, "#fff").replace("\"2\"", "\"5\""), 6.5)
        }
        _ => (String::new(), 6.0),
    };
    edge + &shape.element(at, reach, "#000")
}

pub(super) fn optima(optima: &[(String, [f64; 2])], [x, y]: [Scale; 2]) -> String {
    let places = optima.iter().map(|(_, [a, b])| [x.place(*a), y.place(*b)]).enumerate();
    places
        .filter(|(_, place)| place.iter().all(|p| p.is_finite()))
        .map(|(k, place)| optimum(k, place))
        .collect()
}
