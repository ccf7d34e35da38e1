//! Contours in characters: shades for the objective, points over them.

use crate::common::text::wrapped;
use anstyle::{AnsiColor, Style};
use rpol::study::Direction;
use rpol::{Param, Study};
use rpol_plot::picture::data::{self, Field};
use rpol_plot::picture::shown;
use std::io::{self, Write};

const ROWS: usize = 18;
/// From the worst to the best.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Where a limit is believed to be broken.
const BROKEN: char = '╱';

pub(super) fn write(
    out: &mut impl Write,
    study: &Study,
    field: &Field,
    width: usize,
) -> io::Result<()> {
    let columns = width - 4;
    let mut cells = shades(study, field, columns);
    for point in data::points(study) {
        let Ok(trial) = study.trial(point.number) else { continue };
        let setting = &trial.params;
        let (symbol, style) = match point.feasible {
            Some(true) => ('●', AnsiColor::BrightBlue.on_default()),
            Some(false) => ('×', AnsiColor::BrightBlack.on_default()),
            None => ('○', Style::new()),
        };
        mark(&mut cells, field.locate(study, setting), symbol, style);
    }
    if let Some(baseline) = &study.spec().baseline {
        let style = AnsiColor::Magenta.on_default().bold();
        mark(&mut cells, field.locate(study, &baseline.params), '◆', style);
    }
    if let Ok(Some(setting)) = study.incumbent() {
        let style = AnsiColor::Yellow.on_default().bold();
        mark(&mut cells, field.locate(study, &setting), '★', style);
    }
    let [across, up] = field.params.each_ref().map(|name| ends(study, name));
    let axes = format!("  upwards {up}, across {across}; darker is better");
    writeln!(out, "{}", wrapped(&axes, width))?;
    for row in cells.chunks(columns) {
        write!(out, "  │")?;
        for (symbol, style) in row {
            write!(out, "{style}{symbol}{style:#}")?;
        }
        writeln!(out, "│")?;
    }
    let key = format!(
        "  ● feasible, × infeasible, ◆ baseline, ★ incumbent, {BROKEN} a limit is believed broken"
    );
    writeln!(out, "{}", wrapped(&key, width))
}

/// A parameter and its range.
fn ends(study: &Study, name: &str) -> String {
    let range = match &study.spec().params.params()[name] {
        Param::Float { low, high, .. } => format!("{} to {}", shown(*low), shown(*high)),
        Param::Int { low, high, .. } => format!("{low} to {high}"),
        Param::Categorical { .. } => String::new(),
    };
    format!("{} {range}", super::terminal::name(name))
}

type Cells = Vec<(char, Style)>;

fn shades(study: &Study, field: &Field, columns: usize) -> Cells {
    let means = field.places.iter().map(|p| p.objective.mean);
    let [low, high] = means.fold([f64::MAX, f64::MIN], |[l, h], m| [l.min(m), h.max(m)]);
    let larger = study.spec().objective.direction() == Direction::Maximize;
    let limits = study.spec().constraints.len();
    let cell = |k: usize| {
        let share = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
        let at = [share(k % columns, columns), 1.0 - share(k / columns, ROWS)];
        if (0..limits).any(|i| field.at(at, |p| p.constraints[i].mean) > 0.0) {
            return (BROKEN, AnsiColor::BrightBlack.on_default());
        }
        let mean = field.at(at, |p| p.objective.mean);
        let share = if high > low { (mean - low) / (high - low) } else { 0.5 };
        let good = if larger { share } else { 1.0 - share };
        let shade = SHADES[((good * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
        (shade, AnsiColor::Cyan.on_default())
    };
    (0..columns * ROWS).map(cell).collect()
}

fn mark(cells: &mut Cells, at: Option<[f64; 2]>, symbol: char, style: Style) {
    let columns = cells.len() / ROWS;
    let index = |share: f64, n: usize| ((share.clamp(0.0, 1.0) * n as f64) as usize).min(n - 1);
    if let Some([x, y]) = at {
        cells[(ROWS - 1 - index(y, ROWS)) * columns + index(x, columns)] = (symbol, style);
    }
}
