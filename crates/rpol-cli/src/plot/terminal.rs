//! Pictures in characters.

use super::{bars, ground, lines};
use crate::BadInput;
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use rpol::Study;
use rpol::words::is_hidden;
use rpol_plot::picture::{Kind, data};
use std::io::{self, Write};

/// Writes a picture, `width` columns wide.
pub(super) fn write(
    out: &mut impl Write,
    kind: Kind,
    study: &Study,
    times: &[u64],
    params: &[String],
    width: usize,
) -> Result<()> {
    match kind {
        Kind::History => lines::history(out, study, width)?,
        Kind::Violation => lines::violation(out, study, width)?,
        Kind::Penalty => lines::penalty(out, study, width)?,
        Kind::Delay => bars::delay(out, study, width)?,
        Kind::Timeline => bars::timeline(out, study, times, width)?,
        Kind::Contour => contour(out, study, params, width)?,
        Kind::Slice | Kind::Parallel => {
            let name = kind.name();
            let problem =
                format!("{name} needs a finer picture than characters: add -o {name}.svg");
            return Err(BadInput(problem).into());
        }
    }
    Ok(())
}

pub(super) fn feasible() -> Style {
    AnsiColor::BrightBlue.on_default()
}

pub(super) fn infeasible() -> Style {
    AnsiColor::BrightBlack.on_default()
}

pub(super) fn best() -> Style {
    AnsiColor::Cyan.on_default()
}

pub(super) fn limit() -> Style {
    AnsiColor::Red.on_default()
}

/// A name that cannot break a line.
pub(super) fn name(name: &str) -> String {
    let clean = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let cut: String = name.chars().take(40).map(clean).collect();
    if name.chars().count() > 40 { cut + "…" } else { cut }
}

fn contour(out: &mut impl Write, study: &Study, params: &[String], width: usize) -> io::Result<()> {
    writeln!(out, "Contours of the expected {}", name(study.spec().objective.metric()))?;
    let named = match params {
        [a, b] => Some([a.clone(), b.clone()]),
        _ => data::two_that_matter(study),
    };
    match named.and_then(|params| data::field(study, &params)) {
        None => writeln!(out, "  Contours need two numeric parameters that vary.\n"),
        Some(field) if field.places.is_empty() => {
            writeln!(
                out,
                "  There is no model yet: it begins with the first ask after measurements.\n"
            )
        }
        Some(field) => ground::write(out, study, &field, width),
    }
}

#[cfg(test)]
#[path = "../../../rpol-plot/tests/picture/queue.rs"]
mod queue;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_as_wide_as_the_terminal_at_most() {
        // The last trial fails: its word stands behind the longest bar.
        let (study, times) = queue::queue(41);
        let kinds = Kind::ALL.into_iter().filter(|k| !matches!(k, Kind::Slice | Kind::Parallel));
        for kind in kinds {
            for width in [60, 80, 120] {
                let mut out = anstream::StripStream::new(Vec::new());
                write(&mut out, kind, &study, &times, &[], width).expect("memory takes all");
                let text = String::from_utf8(out.into_inner()).expect("text");
                for line in text.lines() {
                    assert!(line.chars().count() <= width, "{} at {width}: {line}", kind.name());
                }
            }
        }
    }
}
