//! Comma-separated values as of RFC 4180.

use crate::BadInput;

/// One line of cells, its end included. What a spreadsheet would take for a formula gets a `'` in front.
pub(crate) fn record(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(harmless(cell))).collect();
    format!("{}\r\n", cells.join(","))
}

fn harmless(cell: &str) -> String {
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    if cell.starts_with(FORMULA) && !is_number { format!("'{cell}") } else { cell.into() }
}

/// What formulas begin with.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The cell before [`record`] put a `'` in front, if it did.
pub(crate) fn original(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA)).unwrap_or(cell)
}

fn quoted(cell: String) -> String {
    let plain = !cell.contains([',', '"', '\r', '\n']) && cell.trim() == cell;
    if plain { cell } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

/// The cells of a record, and the line it begins in.
#[derive(Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) line: usize,
    pub(crate) cells: Vec<String>,
}

/// The records of a text; lines with nothing on them are none.
pub(crate) fn records(text: &str) -> Result<Vec<Record>, BadInput> {
    let (mut records, mut rest, mut line) = (Vec::new(), text, 1);
    while !rest.is_empty() {
        let (cells, after) = cells(rest, line)?;
        let begun = line;
        line += rest[..rest.len() - after.len()].matches('\n').count();
        rest = after;
        if cells != [""] {
            records.push(Record { line: begun, cells });
        }
    }
    Ok(records)
}

/// The first record, and what follows it.
fn cells(text: &str, line: usize) -> Result<(Vec<String>, &str), BadInput> {
    let (mut cells, mut rest) = (Vec::new(), text);
    loop {
        let (cell, after) = cell(rest).map_err(|problem| {
            BadInput(format!("line {line} column {}: {problem}", cells.len() + 1))
        })?;
        cells.push(cell);
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None => {
                let after = after.strip_prefix('\r').unwrap_or(after);
                return Ok((cells, after.strip_prefix('\n').unwrap_or(after)));
            }
        }
    }
}

fn cell(text: &str) -> Result<(String, &str), &'static str> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let line = text.find(['\n', ',']).unwrap_or(text.len());
        let (cell, after) = text.split_at(line);
        let bare = cell.strip_suffix('\r').filter(|_| !after.starts_with(',')).unwrap_or(cell);
        return Ok((bare.into(), after));
    };
    let mut cell = String::new();
    loop {
        let (part, after) = rest.split_once('"').ok_or("a quote is never closed: close it")?;
        cell.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => (cell.push('"'), rest = after).1,
            None if after.is_empty() || after.starts_with([',', '\r', '\n']) => {
                return Ok((cell, after));
            }
            None => return Err("a quote stands inside of a cell: double it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).into()).collect()
    }

    #[test]
    fn what_is_written_reads_back() -> Result<(), BadInput> {
        let rows = [
            texts(&["a", "b c", ""]),
            texts(&["quo\"te", "com,ma", "two\nlines"]),
            texts(&[" space ", "cr\rin", "\r\n"]),
            texts(&["=cmd()", "-5", "ä€𝄞"]),
        ];
        let text: String = rows.iter().map(|row| record(row)).collect();
        let read = records(&text)?;
        let cells = |r: &Record| r.cells.iter().map(|c| original(c).to_string()).collect();
        assert_eq!(read.iter().map(cells).collect::<Vec<Vec<String>>>(), rows);
        assert_eq!(read.iter().map(|r| r.line).collect::<Vec<_>>(), [1, 2, 4, 6]);
        Ok(())
    }

    #[test]
    fn formulas_are_texts_and_numbers_stay_numbers() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+x", "'+x"),
            ("-x", "'-x"),
            ("\tx", "\"'\tx\""),
            ("-1.5e-3", "-1.5e-3"),
            ("+2", "+2"),
            ("-inf", "'-inf"),
            ("a=b", "a=b"),
        ] {
            let expected =
                if written.starts_with('"') { "'\tx".into() } else { written.to_string() };
            assert_eq!(record(&[cell.into()]).trim_end_matches("\r\n"), expected, "{cell}");
        }
    }

    #[test]
    fn faults_name_line_and_column() {
        for (text, words) in [
            ("a,b\n1,\"2", "line 2 column 2: a quote is never closed"),
            ("a,b\n\"1\"x,2", "line 2 column 1: a quote stands inside"),
        ] {
            let message = records(text).err().map(|e| e.0).unwrap_or_default();
            assert!(message.starts_with(words), "{message}");
        }
    }
}
