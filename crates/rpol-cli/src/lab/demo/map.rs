//! The plane in characters: where the limit holds, and what was tried when.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use rpol_lab::problem::Problem;

use super::play::Round;

const COLUMNS: usize = 66;
const ROWS: usize = 28;
const SHADE: char = '░';
const OPTIMUM: char = '★';

#[derive(Clone, Copy)]
struct Cell {
    symbol: char,
    style: Style,
}

pub(super) fn write(out: &mut impl Write, problem: &Problem, rounds: &[Round]) -> io::Result<()> {
    let cells = draw(problem, rounds);
    let (across, up) = (&problem.domain[0], &problem.domain[1]);
    let edge = "─".repeat(COLUMNS);
    writeln!(out, "\n  {} ┌{edge}┐", up.name)?;
    for (i, row) in cells.iter().enumerate() {
        let label = match i {
            0 => up.high.to_string(),
            _ if i + 1 == ROWS => up.low.to_string(),
            _ => String::new(),
        };
        write!(out, "{label:>4} │")?;
        for Cell { symbol, style } in row {
            write!(out, "{style}{symbol}{style:#}")?;
        }
        writeln!(out, "│")?;
    }
    writeln!(out, "     └{edge}┘")?;
    writeln!(
        out,
        "      {:<width$}{} {}",
        across.low,
        across.name,
        across.high,
        width = COLUMNS - 4
    )?;
    legend(out)
}

fn legend(out: &mut impl Write) -> io::Result<()> {
    let (inside, held, violated) = (inside(), held(), violated());
    writeln!(
        out,
        "  {inside}{SHADE}{inside:#} where the limit holds   {OPTIMUM} the known optimum"
    )?;
    writeln!(out, "  0-9 points tried: 0 in the first tenth of the run, 9 in the last")?;
    writeln!(
        out,
        "      {held}green{held:#}: the limit held, {violated}red{violated:#}: it did not\n"
    )
}

fn inside() -> Style {
    AnsiColor::Green.on_default()
}

fn held() -> Style {
    AnsiColor::BrightGreen.on_default().bold()
}

fn violated() -> Style {
    AnsiColor::Red.on_default()
}

/// Rows from the top down.
fn draw(problem: &Problem, rounds: &[Round]) -> Vec<Vec<Cell>> {
    let shaded = |row: usize, column: usize| {
        let unit = [share(column, COLUMNS), 1.0 - share(row, ROWS)];
        let feasible = problem.is_feasible(&problem.from_unit(&unit));
        Cell { symbol: if feasible { SHADE } else { ' ' }, style: inside() }
    };
    let mut cells: Vec<Vec<Cell>> =
        (0..ROWS).map(|row| (0..COLUMNS).map(|column| shaded(row, column)).collect()).collect();
    for (t, round) in rounds.iter().enumerate() {
        let (row, column) = cell(problem, &round.x);
        let tenth = (10 * t / rounds.len()) as u32;
        let symbol = char::from_digit(tenth, 10).unwrap_or('?');
        let style = if round.g > 0.0 { violated() } else { held() };
        cells[row][column] = Cell { symbol, style };
    }
    let (row, column) = cell(problem, &problem.optimum.x);
    cells[row][column] = Cell { symbol: OPTIMUM, style: AnsiColor::Yellow.on_default().bold() };
    cells
}

/// The middle of cell `i` as a share of the side.
fn share(i: usize, cells: usize) -> f64 {
    (i as f64 + 0.5) / cells as f64
}

fn cell(problem: &Problem, x: &[f64]) -> (usize, usize) {
    let index = |dim: usize, cells: usize| {
        let side = &problem.domain[dim];
        let share = (x[dim] - side.low) / side.width();
        ((share * cells as f64) as usize).min(cells - 1)
    };
    (ROWS - 1 - index(1, ROWS), index(0, COLUMNS))
}
