//! Rows for people, programs and spreadsheets.

use super::text::wrapped;
use crate::common::{csv, terminal};
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
    /// Columns that a narrow terminal need not show, the first to go first.
    pub(crate) spare: Vec<usize>,
}

impl Table {
    /// As comma-separated values, every number to its last digit.
    pub(crate) fn csv(&self) -> String {
        let row = |row: &Vec<Cell>| csv::record(&row.iter().map(Cell::in_full).collect::<Vec<_>>());
        let header = std::iter::once(csv::record(&self.header));
        header.chain(self.rows.iter().map(row)).collect()
    }

    /// Drawn for the terminal on stdout, columns with nothing in them left out.
    pub(crate) fn drawn(&self) -> String {
        self.fitted(terminal::of_stdout())
    }

    /// Drawn within so many columns: no word is broken, long ones are cut, and spare columns that do not fit are left
    /// out and named below.
    pub(crate) fn fitted(&self, width: Option<usize>) -> String {
        let filled = |column: usize| self.rows.iter().any(|row| row[column] != Cell::Empty);
        let mut shown: Vec<usize> = (0..self.header.len())
            .filter(|column| self.rows.is_empty() || filled(*column))
            .collect();
        let is_wide = |text: &str| width.is_some_and(|most| drawn_width(text) > most);
        let (mut text, mut left_out) = (self.with(&shown, None), Vec::new());
        for column in self.spare.iter().filter(|column| filled(**column)) {
            if !is_wide(&text) {
                break;
            }
            shown.retain(|other| other != column);
            left_out.push(escaped(&self.header[*column]));
            text = self.with(&shown, None);
        }
        if is_wide(&text) {
            text = self.with(&shown, width);
        }
        match left_out.is_empty() {
            true => text,
            false => text + &words(&format!("not shown: {}", left_out.join(", ")), width),
        }
    }

    /// These columns; where a width is given, cells go over several lines.
    fn with(&self, shown: &[usize], width: Option<usize>) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        if let Some(width) = width.and_then(|width| u16::try_from(width).ok()) {
            table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
        }
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
            other => short(&escaped(&other.in_full())),
        };
        let right = matches!(self, Cell::Integer(_) | Cell::Number(_));
        let side = if right { CellAlignment::Right } else { CellAlignment::Left };
        comfy_table::Cell::new(text).set_alignment(side)
    }
}

/// Columns that a drawn table takes: all of its lines are as long as the first, which is a border.
fn drawn_width(table: &str) -> usize {
    table.lines().next().map_or(0, |border| border.chars().count())
}

/// A text that leaves room for other columns.
fn short(text: &str) -> String {
    const SHOWN: usize = 32;
    match text.char_indices().nth(SHOWN - 1) {
        Some((cut, last)) if cut + last.len_utf8() < text.len() => format!("{}…", &text[..cut]),
        _ => text.into(),
    }
}

/// A sentence over as many lines as it needs.
fn words(text: &str, width: Option<usize>) -> String {
    wrapped(text, width.unwrap_or(usize::MAX)) + "\n"
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
    rpol::words::visible(text)
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
        let rows = vec![vec![Cell::Empty, 1.5.into()]];
        let table = Table { header, rows, ..Table::default() };
        assert!(!table.drawn().contains('a') && table.drawn().contains("1.5"));
        assert_eq!(table.csv(), "a,b\r\n,1.5\r\n");
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_the_order_that_is_said() {
        let header = ["number", "cost", "worker", "told_at"].map(String::from).into();
        let row = vec![7u64.into(), 1.5.into(), "a".repeat(64).as_str().into(), "now".into()];
        let table = Table { header, rows: vec![row], spare: vec![3, 2] };
        assert!(
            !table.fitted(None).contains("not shown") && !table.fitted(Some(80)).contains("not")
        );
        for (width, note) in [(56, "not shown: told_at\n"), (20, "not shown: told_at,\nworker\n")] {
            let text = table.fitted(Some(width));
            assert!(text.ends_with(note) && text.contains("number"), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}
