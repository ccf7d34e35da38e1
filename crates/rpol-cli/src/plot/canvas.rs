//! A drawing in braille dots, two across and four up to a character.

use anstyle::Style;
use std::io::{self, Write};

/// The bit of each dot, row by row from the top, left then right.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<(u8, Style)>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![(0, Style::new()); columns * rows] }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// A dot at shares of the width and of the height, from the lower left.
    pub(super) fn dot(&mut self, [x, y]: [f64; 2], style: Style) {
        let index = |share: f64, count: usize| {
            ((share.clamp(0.0, 1.0) * (count - 1) as f64).round() as usize).min(count - 1)
        };
        let column = index(x, 2 * self.columns);
        let row = 4 * self.rows - 1 - index(y, 4 * self.rows);
        let cell = &mut self.cells[row / 4 * self.columns + column / 2];
        *cell = (cell.0 | BITS[row % 4][column % 2], style);
    }

    /// Dots along a straight line.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], style: Style) {
        let steps = (2 * self.columns).max(4 * self.rows);
        for i in 0..=steps {
            let along = i as f64 / steps as f64;
            let at = [0, 1].map(|d| from[d] + along * (to[d] - from[d]));
            self.dot(at, style);
        }
    }

    /// Every third dot across, at a height.
    pub(super) fn dashes(&mut self, y: f64, style: Style) {
        let dots = 2 * self.columns;
        for i in (0..dots).filter(|i| i % 6 < 3) {
            self.dot([i as f64 / (dots - 1) as f64, y], style);
        }
    }

    /// One row of characters, without blanks at its end.
    pub(super) fn write_row(&self, out: &mut impl Write, row: usize) -> io::Result<()> {
        let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
        let end = cells.iter().rposition(|(dots, _)| *dots != 0).map_or(0, |last| last + 1);
        for (dots, style) in &cells[..end] {
            match dots {
                0 => write!(out, " ")?,
                dots => {
                    let sign = char::from_u32(0x2800 + u32::from(*dots)).unwrap_or(' ');
                    write!(out, "{style}{sign}{style:#}")?;
                }
            }
        }
        writeln!(out)
    }
}
