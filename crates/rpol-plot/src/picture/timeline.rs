//! When each trial ran.

use super::axis::Axis;
use super::data::{self, Bar, Outcome};
use super::look::{FAILED, FEASIBLE, INFEASIBLE};
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Key, Sheet, WIDTH, box_key};
use crate::figure::font::{self, Weight};
use crate::figure::frame::Frame;
use crate::figure::svg::{Anchor, Text, rectangle};
use rpol::Study;

/// Bars of one picture: the last ones.
const MOST: usize = 400;
/// Rows of one picture.
const MOST_ROWS: usize = 60;
const LABEL_ROOM: f64 = 130.0;

/// A bar a trial over wall-clock time, in a row for each worker where workers are known, else one for each trial.
#[must_use]
pub fn timeline(study: &Study, times: &[u64]) -> String {
    let bars = data::timeline(study, times);
    let mut sheet = Sheet::new("Timeline");
    if bars.is_empty() {
        return sheet.empty("No trial has been asked for yet, or it is not known when.");
    }
    let (rows, shown) = rows(&bars[bars.len().saturating_sub(MOST)..]);
    let start = shown.iter().map(|(_, bar)| bar.span[0]).min().unwrap_or(0);
    let end = shown.iter().map(|(_, bar)| bar.span[1]).max().unwrap_or(0);
    let (unit, name) = unit(end - start);
    let place = |at: u64| (at - start) as f64 / unit;
    let x = Axis::straight(
        &format!("time since trial {} began, {name}", shown[0].1.number),
        [0.0, place(end).max(1e-3)],
        8,
        0.0,
    );
    let up = Axis::bare();
    let label = |row: &String| font::width(row, panel::SIZE, Weight::Regular).min(LABEL_ROOM);
    let left = EDGE + rows.iter().map(label).fold(0.0, f64::max) + 10.0;
    let height = (420.0 / rows.len() as f64).clamp(6.0, 26.0);
    let frame = Frame {
        left,
        top: sheet.top,
        width: WIDTH - left - 30.0,
        height: height * rows.len() as f64,
    };
    let panel = Panel { frame, x: &x, y: &up };
    sheet.draw("<g class=\"bars\" stroke=\"#fff\" stroke-width=\"0.5\">\n");
    for (row, bar) in &shown {
        let [from, to] = bar.span.map(|at| panel.across(place(at)));
        let inset = if height > 12.0 { 3.0 } else { 1.0 };
        let top = frame.top + *row as f64 * height + inset;
        let place =
            Frame { left: from, top, width: (to - from).max(1.5), height: height - 2.0 * inset };
        sheet.draw(&rectangle(&place, &fill(bar.outcome)));
    }
    sheet.draw("</g>\n");
    sheet.draw(&panel.surroundings());
    sheet.draw(&labels(&frame, &rows, height));
    sheet.top = frame.bottom() + BELOW;
    sheet.key(&key(&shown));
    sheet.finish(&caption(bars.len(), shown.len()))
}

/// The rows from the top, and the bars that are in them, each with its row.
fn rows(bars: &[Bar]) -> (Vec<String>, Vec<(usize, &Bar)>) {
    let mut workers: Vec<Option<&String>> = Vec::new();
    for bar in bars {
        if !workers.contains(&bar.worker.as_ref()) {
            workers.push(bar.worker.as_ref());
        }
    }
    if workers == [None] || workers.len() > MOST_ROWS {
        let bars = &bars[bars.len().saturating_sub(MOST_ROWS)..];
        let labels = bars.iter().map(|bar| format!("trial {}", bar.number));
        return (labels.collect(), bars.iter().enumerate().collect());
    }
    let row = |bar: &Bar| workers.iter().position(|worker| *worker == bar.worker.as_ref());
    let placed = bars.iter().filter_map(|bar| Some((row(bar)?, bar))).collect();
    let label = |worker: &Option<&String>| worker.map_or("(no worker)".into(), |w| w.clone());
    (workers.iter().map(label).collect(), placed)
}

fn labels(frame: &Frame, rows: &[String], height: f64) -> String {
    let every = (13.0 / height).ceil() as usize;
    let label = |(i, row): (usize, &String)| {
        let words = font::cut(row, panel::SIZE, Weight::Regular, LABEL_ROOM);
        let at = [frame.left - 6.0, frame.top + (i as f64 + 0.5) * height + 4.5];
        Text::new(at, Anchor::End, panel::SIZE, &words).level()
    };
    rows.iter().enumerate().step_by(every).map(label).collect()
}

/// Milliseconds of the unit in which a span is told.
fn unit(span: u64) -> (f64, &'static str) {
    match span {
        0..5_000 => (1.0, "ms"),
        5_000..300_000 => (1e3, "s"),
        300_000..18_000_000 => (6e4, "min"),
        18_000_000..432_000_000 => (3.6e6, "h"),
        _ => (8.64e7, "days"),
    }
}

fn fill(outcome: Outcome) -> String {
    let colour = match outcome {
        Outcome::Feasible => FEASIBLE,
        Outcome::Infeasible => INFEASIBLE,
        Outcome::Running => "#a6cee3",
        Outcome::Failed => FAILED,
        Outcome::Voided => "#555555",
    };
    format!("fill=\"{colour}\"")
}

fn key(bars: &[(usize, &Bar)]) -> Vec<Key<'static>> {
    let all = [
        (Outcome::Feasible, "feasible"),
        (Outcome::Infeasible, "infeasible"),
        (Outcome::Failed, "failed"),
        (Outcome::Running, "running"),
        (Outcome::Voided, "voided"),
    ];
    let there =
        all.into_iter().filter(|(outcome, _)| bars.iter().any(|(_, b)| b.outcome == *outcome));
    there.map(|(outcome, words)| (box_key(fill(outcome)) as _, words)).collect()
}

fn caption(all: usize, shown: usize) -> String {
    let each = "A bar goes from the first claim of a trial, else its ask, to its last news.";
    if shown < all { format!("{each} The last {shown} of {all} trials.") } else { each.into() }
}
