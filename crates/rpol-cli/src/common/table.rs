//! Rows for people, programs and spreadsheets.

use crate::common::csv;
use comfy_table::{CellAlignment, ContentArrangement, presets};
/// A number to four significant digits.
pub(crate) use rpol_plot::picture::shown as number;

/// How a verb writes what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: as wide as the terminal, numbers rounded
    Table,
    /// For programs: everything
    Json,
    /// For spreadsheets: numbers in full
    Csv,
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Empty,
    Text(String),
    Integer(i64),
    Number(f64),
}

/// Rows under a header.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// As comma-separated values, every number to its last digit.
    pub(crate) fn csv(&self) -> String {
        let row = |row: &Vec<Cell>| csv::record(&row.iter().map(Cell::in_full).collect::<Vec<_>>());
        let header = std::iter::once(csv::record(&self.header));
        header.chain(self.rows.iter().map(row)).collect()
    }

    /// Drawn for a terminal, columns with nothing in them left out.
    pub(crate) fn drawn(&self) -> String {
        let filled = |column: usize| self.rows.iter().any(|row| row[column] != Cell::Empty);
        let shown: Vec<usize> = (0..self.header.len())
            .filter(|column| self.rows.is_empty() || filled(*column))
            .collect();
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(shown.iter().map(|column| escaped(&self.header[*column])));
        for row in &self.rows {
            table.add_row(shown.iter().map(|column| row[*column].drawn()));
        }
        format!("{table}\n")
    }
}

impl Cell {
    fn in_full(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Number(number) => format!("{number:?}"),
        }
    }

    fn drawn(&self) -> comfy_table::Cell {
        let text = match self {
            Cell::Number(x) => number(*x),
            other => escaped(&other.in_full()),
        };
        let right = matches!(self, Cell::Integer(_) | Cell::Number(_));
        let side = if right { CellAlignment::Right } else { CellAlignment::Left };
        comfy_table::Cell::new(text).set_alignment(side)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or_else(|_| Cell::Text(number.to_string()), Cell::Integer)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Cell::Empty, Into::into)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        // The sum turns -0.0 into 0.0.
        Cell::Number(number + 0.0)
    }
}

impl From<&rpol::Value> for Cell {
    fn from(value: &rpol::Value) -> Self {
        match value {
            rpol::Value::Int(number) => Cell::Integer(*number),
            rpol::Value::Float(number) => Cell::Number(*number),
            other => Cell::Text(other.to_string()),
        }
    }
}

/// A terminal must not obey what a name or a text says.
pub(crate) fn escaped(text: &str) -> String {
    let safe = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.0, 3.412_345, 243.0, 1e-5, -1.234_567e300, 12_345_678.9, 0.000_123_456];
        let short = "0 3.412 243 1e-5 -1.235e300 1.235e7 0.0001235";
        assert_eq!(numbers.map(number).join(" "), short);
    }

    #[test]
    fn columns_with_nothing_in_them_are_not_drawn() {
        let header = ["a", "b"].map(String::from).into();
        let table = Table { header, rows: vec![vec![Cell::Empty, 1.5.into()]] };
        assert!(!table.drawn().contains('a') && table.drawn().contains("1.5"));
        assert_eq!(table.csv(), "a,b\r\n,1.5\r\n");
    }
}
