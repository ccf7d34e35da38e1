//! A table in Markdown that reads well on a terminal too.

/// The rows under the head, in columns of even width; the first is of words, the others of numbers.
pub(super) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&head[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let cell = |(i, cell): (usize, &String)| match i {
            0 => format!("{cell:<0$}", widths[i]),
            _ => format!("{cell:>0$}", widths[i]),
        };
        let cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let ruler = |(i, width): (usize, &usize)| match i {
        0 => "-".repeat(*width + 2),
        _ => "-".repeat(*width + 1) + ":",
    };
    let rulers: Vec<String> = widths.iter().enumerate().map(ruler).collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}|{}|\n{body}", line(head), rulers.join("|"))
}
