//! Lines over rounds.

use super::axes;
use super::frame::Frame;
use super::legend::{Legend, Obstacles};
use super::marks;
use super::range;
use super::scale::{Scale, Ticks};
use super::series::{self, Vertex};
use super::style::{self, Style};
use super::svg::{self, Document};

/// One line of a chart: a value for every round from 1, with the half width of its interval where there is one.
///
/// Values that are not finite are left out; so is the band where its half width is missing.
pub struct Line {
    /// Name in the legend. The names of the known algorithms look the same in every chart.
    pub label: String,
    /// The values.
    pub mean: Vec<f64>,
    /// Half widths of the intervals around the values.
    pub half_width: Option<Vec<f64>>,
}

impl Line {
    pub(super) fn half_width_at(&self, t: usize) -> Option<f64> {
        let half = *self.half_width.as_ref()?.get(t)?;
        (range::is_sound(half) && half >= 0.0).then_some(half)
    }
}

/// Lines over rounds.
pub struct Curves {
    /// Above the plot.
    pub title: String,
    /// Name of the horizontal axis, with its unit.
    pub x: String,
    /// Name of the vertical axis, with its unit.
    pub y: String,
    /// Under the plot: the settings. May be long.
    pub caption: String,
    /// Up to ten are told apart.
    pub lines: Vec<Line>,
    /// Vertical marks: a round and what happened there.
    pub marks: Vec<(f64, String)>,
}

const WIDTH: f64 = 720.0;
/// Without the caption.
const HEIGHT: f64 = 480.0;
const EDGE: f64 = 16.0;
/// Half of the last round's label reaches over the frame.
const RIGHT: f64 = 28.0;
/// Parts of the range added above the lines, where the legend would hide one otherwise.
const HEADROOM: [f64; 6] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5];

/// What is drawn into the plot once its range is chosen.
struct Plot<'a> {
    y: Scale,
    ticks: Ticks,
    runs: Vec<Vec<Vec<Vertex>>>,
    legend: Option<(Legend<'a>, Frame)>,
    hides: usize,
}

impl Curves {
    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        let styles = style::styles(self.lines.iter().map(|line| line.label.as_str()));
        let labels = self.lines.iter().map(|line| line.label.as_str());
        let entries: Vec<(&str, &Style)> = labels.zip(styles.iter().copied()).collect();
        let rounds = range::rounds(&self.lines);
        let range = range::values(&self.lines);

        let ticks = Ticks::new(range, 7, 0.0);
        let values = axes::values_width(&ticks).max(40.0);
        let left = EDGE + axes::NAME_SIZE + 6.0 + values;
        let (heading, top) = svg::heading(&self.title, WIDTH, EDGE);
        let across = Scale { values: rounds, places: [left, WIDTH - RIGHT] };
        let shown = self.marks.iter().filter(|(t, _)| (rounds[0]..=rounds[1]).contains(t));
        let marks = marks::placed(
            shown.map(|(t, label)| (across.place(*t), label.as_str())),
            [EDGE, WIDTH - EDGE],
        );
        let top = top + marks::height(&marks);
        let frame =
            Frame { left, top, width: WIDTH - RIGHT - left, height: HEIGHT - axes::BELOW - top };

        let plot = self.plotted(range, &across, &frame, &entries);
        let x_ticks = Ticks::new(rounds, 8, 1.0);
        let slots = self.lines.len();
        let mut inner = axes::grid(&frame, (&across, &x_ticks), (&plot.y, &plot.ticks));
        inner += &marks::lines(&marks, &frame);
        for (runs, style) in plot.runs.iter().zip(&styles) {
            inner += &series::band(runs, style);
        }
        for (runs, style) in plot.runs.iter().zip(&styles) {
            inner += &series::stroke(runs, style);
        }
        for (slot, (runs, style)) in plot.runs.iter().zip(&styles).enumerate() {
            inner += &series::markers(runs, style, &frame, (slot, slots));
        }

        let mut outer = heading;
        outer += &marks::labels(&marks, &frame);
        outer += &axes::outline(&frame);
        outer += &axes::below(&frame, &across, &x_ticks);
        outer += &axes::beside(&frame, &plot.y, &plot.ticks);
        outer += &axes::name_below(&frame, &(self.x.clone() + &x_ticks.unit()));
        outer += &axes::name_beside(
            &frame,
            left - EDGE - 0.8 * axes::NAME_SIZE,
            &(self.y.clone() + &plot.ticks.unit()),
        );
        if let Some((legend, place)) = &plot.legend {
            outer += &legend.element(place);
        }
        let (caption, height) = svg::caption(&self.caption, WIDTH, EDGE, HEIGHT);
        outer += &caption;

        let id = svg::id_of(&[&self.title, &inner, &outer]);
        let clip = svg::rectangle(&frame, "");
        let body = format!(
            "<clipPath id=\"{id}-plot\">{clip}</clipPath>\n<g class=\"plot\" clip-path=\"url(#{id}-plot)\">\n{inner}</g>\n{outer}"
        );
        Document {
            id: &id,
            title: &self.title,
            description: &self.description(),
            size: [WIDTH, height],
        }
        .with(&body)
    }

    /// The lines at the smallest headroom that lets the legend hide none of them.
    fn plotted<'a>(
        &self,
        [low, high]: [f64; 2],
        x: &Scale,
        frame: &Frame,
        entries: &'a [(&'a str, &'static Style)],
    ) -> Plot<'a> {
        let wild = range::wild_rounds(&self.lines);
        let with = |room: f64| {
            let values = [low, high + room * (high - low)];
            let y = Scale { values, places: [frame.bottom(), frame.top] };
            let runs: Vec<_> =
                self.lines.iter().map(|line| series::runs(line, wild, x, &y)).collect();
            let obstacles = Obstacles::new(runs.iter().flatten(), frame);
            let best = Legend::best(entries, frame, &obstacles);
            let hides = best.as_ref().map_or(0, |(_, _, hidden)| hidden.lines);
            let legend = best.map(|(legend, place, _)| (legend, place));
            Plot { y, ticks: Ticks::new(values, 7, 0.0), runs, legend, hides }
        };
        let mut best = with(HEADROOM[0]);
        for room in &HEADROOM[1..] {
            if best.hides == 0 {
                break;
            }
            let next = with(*room);
            if next.hides < best.hides {
                best = next;
            }
        }
        best
    }

    fn description(&self) -> String {
        let labels: Vec<&str> = self.lines.iter().map(|line| line.label.as_str()).collect();
        format!("{} over {}: {}. {}", self.y, self.x, labels.join(", "), self.caption)
    }
}
