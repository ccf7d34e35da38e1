//! Axes in characters around a canvas.

use super::canvas::Canvas;
use rpol_plot::picture::shown;
use std::io::{self, Write};

/// Columns for the values on the left.
const LEFT: usize = 10;
const ROWS: usize = 12;

/// A canvas between two axes.
pub(super) struct Chart {
    pub(super) canvas: Canvas,
    x: [f64; 2],
    y: [f64; 2],
    columns: usize,
}

impl Chart {
    /// A chart of that width in all, over ranges of values.
    pub(super) fn new(width: usize, x: [f64; 2], y: [f64; 2]) -> Self {
        let columns = width - LEFT - 2;
        Self { canvas: Canvas::new(columns, ROWS), x: open(x), y: open(y), columns }
    }

    /// Where a pair of values is on the canvas.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [share(x, self.x), self.up(y)]
    }

    pub(super) fn up(&self, y: f64) -> f64 {
        share(y, self.y)
    }

    /// The canvas with the ends of its axes and their names.
    pub(super) fn write(&self, out: &mut impl Write, name: &str) -> io::Result<()> {
        let rows = self.canvas.rows();
        for row in 0..rows {
            let label = match row {
                0 => shown(self.y[1]),
                _ if row + 1 == rows => shown(self.y[0]),
                _ => String::new(),
            };
            write!(out, "{label:>LEFT$} │")?;
            self.canvas.write_row(out, row)?;
        }
        writeln!(out, "{:LEFT$} └{}", "", "─".repeat(self.columns))?;
        let ends = self.x.map(shown);
        let used = ends[0].chars().count() + ends[1].chars().count();
        let room = self.columns.saturating_sub(used);
        writeln!(out, "{:LEFT$}  {}{name:^room$}{}", "", ends[0], ends[1])
    }
}

fn open([low, high]: [f64; 2]) -> [f64; 2] {
    if low < high { [low, high] } else { [low, low + low.abs().max(1.0)] }
}

fn share(value: f64, [low, high]: [f64; 2]) -> f64 {
    (value - low) / (high - low)
}
