//! A line of a chart, with its band and its markers.

use super::curves::Line;
use super::frame::Frame;
use super::marker::Shape;
use super::range::is_sound;
use super::scale::Scale;
use super::style::Style;
use super::svg::{number, pair};

/// Longer lines are thinned to about twice this many vertices.
const BUCKETS: usize = 220;
/// About so many markers on a line.
const MARKERS: usize = 8;
/// Half the width of a marker.
pub(super) const MARKER_REACH: f64 = 4.6;
pub(super) const LINE_WIDTH: f64 = 2.2;

/// A round's place: the mean, and the ends of its interval, upper end first (smaller, as the picture runs down).
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub(super) at: [f64; 2],
    pub(super) band: Option<[f64; 2]>,
}

/// The vertices in runs without a missing value.
///
/// Of the `wild` first rounds those before the last one out of range are left out: the line then comes in from the edge
/// once, where it would scribble up and down along the axis.
pub(super) fn runs(line: &Line, wild: usize, x: &Scale, y: &Scale) -> Vec<Vec<Vertex>> {
    let [low, high] = y.values;
    let shown = |value: &f64| (low..=high).contains(value);
    let first = line.mean.iter().take(wild).rposition(|value| !shown(value)).unwrap_or(0);
    let vertex = |t: usize| {
        let band = line
            .half_width_at(t)
            .map(|half| [y.place(line.mean[t] + half), y.place(line.mean[t] - half)]);
        Vertex { at: [x.place((t + 1) as f64), y.place(line.mean[t])], band }
    };
    let mut kept = kept(&line.mean);
    kept.retain(|t| *t >= first);
    kept.chunk_by(|a, b| is_sound(line.mean[*a]) == is_sound(line.mean[*b]))
        .filter(|run| is_sound(line.mean[run[0]]))
        .map(|run| run.iter().map(|t| vertex(*t)).collect())
        .collect()
}

/// Of a long series, the lowest and the highest of every bucket: no peak is lost.
fn kept(values: &[f64]) -> Vec<usize> {
    let n = values.len();
    if n <= 2 * BUCKETS {
        return (0..n).collect();
    }
    let mut kept = vec![0, n - 1];
    for bucket in 0..BUCKETS {
        let rounds = bucket * n / BUCKETS..(bucket + 1) * n / BUCKETS;
        let (sound, missing): (Vec<usize>, Vec<usize>) = rounds.partition(|t| is_sound(values[*t]));
        kept.extend(sound.iter().copied().min_by(|a, b| values[*a].total_cmp(&values[*b])));
        kept.extend(sound.iter().copied().max_by(|a, b| values[*a].total_cmp(&values[*b])));
        // A gap stays a gap.
        kept.extend(missing.first());
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// The translucent intervals; their edges are drawn too, so that narrow and crossing ones stay visible.
pub(super) fn band(runs: &[Vec<Vertex>], style: &Style) -> String {
    let mut path = String::new();
    for run in runs {
        for part in run.chunk_by(|a, b| a.band.is_some() == b.band.is_some()) {
            let edge = |end: usize| move |v: &Vertex| v.band.map(|band| pair([v.at[0], band[end]]));
            let upper = part.iter().filter_map(edge(0));
            let lower = part.iter().rev().filter_map(edge(1));
            let outline: Vec<String> = upper.chain(lower).collect();
            if !outline.is_empty() {
                path += &format!("M{}Z", outline.join(" "));
            }
        }
    }
    if path.is_empty() {
        return path;
    }
    let alone = runs.iter().all(|run| run.len() == 1);
    let width = number(if alone { 3.0 } else { 0.7 });
    let colour = style.colour;
    format!(
        "<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"0.17\" stroke=\"{colour}\" stroke-opacity=\"0.45\" stroke-width=\"{width}\"/>\n"
    )
}

/// The line through the means.
pub(super) fn stroke(runs: &[Vec<Vertex>], style: &Style) -> String {
    let mut path = String::new();
    for run in runs.iter().filter(|run| run.len() > 1) {
        let places: Vec<String> = run.iter().map(|v| pair(v.at)).collect();
        path += &format!("M{}", places.join(" "));
    }
    if path.is_empty() { path } else { format!("<path d=\"{path}\" {}/>\n", pen(style)) }
}

/// How the line and its sample in the legend are drawn.
pub(super) fn pen(style: &Style) -> String {
    let dash = match style.dash {
        "" => String::new(),
        dash => format!(r#" stroke-dasharray="{dash}""#),
    };
    let width = number(LINE_WIDTH);
    let colour = style.colour;
    format!(r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dash}"#)
}

/// Sparse markers, those of the `slot`-th of `slots` lines a little further on than those before it.
pub(super) fn markers(
    runs: &[Vec<Vertex>],
    style: &Style,
    frame: &Frame,
    (slot, slots): (usize, usize),
) -> String {
    let vertices: Vec<&Vertex> = runs.iter().flatten().collect();
    let nearest = |x: f64| {
        vertices.iter().copied().min_by(|a, b| (a.at[0] - x).abs().total_cmp(&(b.at[0] - x).abs()))
    };
    let shift = (slot as f64 + 0.5) / slots as f64;
    let spread = (0..MARKERS)
        .map(|k| frame.left + frame.width * (k as f64 + shift) / MARKERS as f64)
        .filter_map(nearest);
    let chosen: Vec<&Vertex> =
        if vertices.len() <= 2 * MARKERS { vertices.clone() } else { spread.collect() };
    // A line that ends early is nearest to several of the places.
    let mut drawn: Vec<[f64; 2]> = Vec::new();
    for vertex in chosen {
        if frame.holds(vertex.at) && drawn.last() != Some(&vertex.at) {
            drawn.push(vertex.at);
        }
    }
    let shape: Shape = style.shape;
    drawn.into_iter().map(|at| shape.element(at, MARKER_REACH, style.colour)).collect()
}
