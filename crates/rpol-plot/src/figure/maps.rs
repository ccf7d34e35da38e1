//! Where the points fell.

mod key;
mod panel;

use super::axes;
use super::frame::Frame;
use super::region;
use super::scale::{Scale, Ticks};
use super::svg::{self, Document};

/// One small map: its name, and its points in order of play; early ones are drawn lighter.
pub struct Panel {
    /// Above the map.
    pub label: String,
    /// In the units of the axes. Points outside the square are not seen.
    pub points: Vec<[f64; 2]>,
}

/// Whether something holds at a point.
pub type Condition<'a> = &'a dyn Fn([f64; 2]) -> bool;

/// Where the points fell: one small map a panel, all over the same square.
pub struct PointMaps<'a> {
    /// Above the panels.
    pub title: String,
    /// Name of the horizontal axis, with its unit.
    pub x: String,
    /// Name of the vertical axis, with its unit.
    pub y: String,
    /// Under the panels: the settings. May be long.
    pub caption: String,
    /// The lower left corner of the square.
    pub low: [f64; 2],
    /// The upper right corner of the square.
    pub high: [f64; 2],
    /// Whether a point is feasible, shaded and outlined. Several for the phases of a drifting problem, each with its
    /// label and its own tint and hatching.
    pub regions: Vec<(String, Condition<'a>)>,
    /// Where the optima are; each has its own shape.
    pub optima: Vec<(String, [f64; 2])>,
    /// The maps, row by row.
    pub panels: Vec<Panel>,
}

const WIDTH: f64 = 720.0;
const EDGE: f64 = 16.0;
const RIGHT: f64 = 18.0;
/// Between panels of a row.
const GUTTER: f64 = 24.0;
/// A lone panel need not fill the page.
const LARGEST: f64 = 400.0;

/// Where every panel stands.
struct Grid {
    columns: usize,
    left: f64,
    top: f64,
    side: f64,
    /// From the top of a row of maps to the next.
    pitch: f64,
}

impl Grid {
    fn new(panels: usize, top: f64, values: f64) -> Self {
        let columns = match panels {
            0 | 1 => 1,
            2 | 4 => 2,
            3 | 5..=9 => 3,
            _ => 4,
        };
        let margin = EDGE + axes::NAME_SIZE + 6.0 + values;
        let room = WIDTH - margin - RIGHT - GUTTER * (columns - 1) as f64;
        let side = (room / columns as f64).min(LARGEST);
        let spare = room - side * columns as f64;
        Self { columns, left: margin + spare / 2.0, top, side, pitch: side + panel::HEADING + 8.0 }
    }

    fn frame(&self, k: usize) -> Frame {
        let (row, column) = (k / self.columns, k % self.columns);
        Frame {
            left: self.left + column as f64 * (self.side + GUTTER),
            top: self.top + panel::HEADING + row as f64 * self.pitch,
            width: self.side,
            height: self.side,
        }
    }

    /// The values of an axis are written once for all panels that share it.
    fn is_leftmost(&self, k: usize) -> bool {
        k.is_multiple_of(self.columns)
    }

    fn is_lowest(&self, k: usize, panels: usize) -> bool {
        k + self.columns >= panels
    }
}

impl PointMaps<'_> {
    /// The maps as an SVG file.
    pub fn svg(&self) -> String {
        let wanted = if self.panels.len() > 4 { 4 } else { 6 };
        let ticks = [0, 1].map(|d| Ticks::new(self.side(d), wanted, 0.0));
        let (heading, top) = svg::heading(&self.title, WIDTH, EDGE);
        let values = axes::values_width(&ticks[1]);
        let grid = Grid::new(self.panels.len(), top - 4.0, values);
        let [shades, outlines] = self.ground(grid.side);
        let points: Vec<String> =
            self.panels.iter().map(|panel| panel::points(panel, self.square(grid.side))).collect();
        let optima = panel::optima(&self.optima, self.square(grid.side));

        let id =
            svg::id_of(&[&self.title, &self.description(), &shades, &points.concat(), &optima]);
        let square = Frame { left: 0.0, top: 0.0, width: grid.side, height: grid.side };
        let mut body = heading;
        body += &format!(
            "<clipPath id=\"{id}-square\">{}</clipPath>\n<defs><g id=\"{id}-under\">\n{shades}</g>\n<g id=\"{id}-over\">\n{outlines}</g>\n<g id=\"{id}-optima\">\n{optima}</g></defs>\n",
            svg::rectangle(&square, "")
        );
        for (k, (panel, points)) in self.panels.iter().zip(&points).enumerate() {
            let frame = grid.frame(k);
            let [left, top] = [frame.left, frame.top].map(svg::number);
            body += &format!(
                "<g transform=\"translate({left} {top})\"><g clip-path=\"url(#{id}-square)\">\n<use href=\"#{id}-under\"/>\n{points}<use href=\"#{id}-over\"/></g>\n<use href=\"#{id}-optima\"/></g>\n"
            );
            body += &self.surroundings(&grid, k, panel, &ticks);
        }
        let last = self.panels.len().saturating_sub(1);
        let bottom = (0..=last).map(|k| grid.frame(k).bottom()).fold(0.0, f64::max) + axes::BELOW;
        let (key, bottom) = key::drawn(self, bottom + 4.0, [EDGE, WIDTH - EDGE]);
        let (caption, height) = svg::caption(&self.caption, WIDTH, EDGE, bottom);
        body += &(key + &caption);
        Document {
            id: &id,
            title: &self.title,
            description: &self.description(),
            size: [WIDTH, height],
        }
        .with(&body)
    }

    /// Low and high end of an axis.
    fn side(&self, d: usize) -> [f64; 2] {
        [self.low[d], self.high[d]]
    }

    /// The scales of a square at the origin.
    fn square(&self, side: f64) -> [Scale; 2] {
        [
            Scale { values: self.side(0), places: [0.0, side] },
            Scale { values: self.side(1), places: [side, 0.0] },
        ]
    }

    /// Shades of all regions, to lie under the points, and their outlines, to lie over them.
    fn ground(&self, side: f64) -> [String; 2] {
        let (mut shades, mut outlines) = (String::new(), String::new());
        for (k, (_, holds)) in self.regions.iter().enumerate() {
            let inside = |[x, y]: [f64; 2]| {
                let along =
                    |d: usize, share: f64| self.low[d] + share * (self.high[d] - self.low[d]);
                holds([along(0, x), along(1, 1.0 - y)])
            };
            let look = panel::ground(k);
            let outline = region::outline(&inside, side);
            if outline.is_empty() {
                continue;
            }
            shades += &look.shade(&outline);
            if let Some(slope) = look.slope {
                shades += &look.hatch(&region::hatching(&inside, side, slope));
            }
            outlines += &look.outline(&outline);
        }
        [shades, outlines]
    }

    /// Frame, name and values of a panel.
    fn surroundings(&self, grid: &Grid, k: usize, panel: &Panel, ticks: &[Ticks; 2]) -> String {
        let frame = grid.frame(k);
        let [across, up] = self.square(grid.side);
        let across = Scale { places: [frame.left, frame.right()], ..across };
        let up = Scale { places: [frame.bottom(), frame.top], ..up };
        let mut out = axes::outline(&frame) + &panel::heading(&frame, &panel.label);
        if grid.is_lowest(k, self.panels.len()) {
            out += &axes::below(&frame, &across, &ticks[0]);
            out += &axes::name_below(&frame, &(self.x.clone() + &ticks[0].unit()));
        }
        if grid.is_leftmost(k) {
            out += &axes::beside(&frame, &up, &ticks[1]);
            let away = axes::values_width(&ticks[1]) + 9.0;
            out += &axes::name_beside(&frame, away, &(self.y.clone() + &ticks[1].unit()));
        }
        out
    }

    fn description(&self) -> String {
        let labels: Vec<&str> = self.panels.iter().map(|panel| panel.label.as_str()).collect();
        format!("Maps of {} and {}: {}. {}", self.x, self.y, labels.join(", "), self.caption)
    }
}
