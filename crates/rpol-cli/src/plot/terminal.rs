//! Pictures in characters.

use super::chart::Chart;
use super::ground;
use crate::BadInput;
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use rpol::Study;
use rpol::study::Direction;
use rpol_lab::picture::data::{self, Bar, Outcome, Spending};
use rpol_lab::picture::{Kind, shown};
use std::io::{self, Write};

/// Bars of a histogram and rows of a timeline: more do not help on a terminal.
const MOST_ROWS: usize = 30;

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
        Kind::History => history(out, study, width)?,
        Kind::Violation => violation(out, study, width)?,
        Kind::Penalty => penalty(out, study, width)?,
        Kind::Delay => delay(out, study, width)?,
        Kind::Timeline => timeline(out, study, times, width)?,
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

fn feasible() -> Style {
    AnsiColor::BrightBlue.on_default()
}

fn infeasible() -> Style {
    AnsiColor::BrightBlack.on_default()
}

fn best() -> Style {
    AnsiColor::Cyan.on_default()
}

fn limit() -> Style {
    AnsiColor::Red.on_default()
}

/// A name that cannot break a line.
pub(super) fn name(name: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let cut: String = name.chars().take(40).map(clean).collect();
    if name.chars().count() > 40 { cut + "…" } else { cut }
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = values.map(|v| v.clamp(-1e300, 1e300)).map(|v| [v, v]);
    ends.reduce(|[l, h], [a, b]| [l.min(a), h.max(b)]).unwrap_or([0.0, 1.0])
}

fn history(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let history = data::history(study);
    let verb = match study.spec().objective.direction() {
        Direction::Minimize => "minimize",
        Direction::Maximize => "maximize",
    };
    writeln!(out, "Optimization history: {verb} {}", name(study.spec().objective.metric()))?;
    if history.points.is_empty() {
        return writeln!(out, "  No trial has a value of the objective yet.\n");
    }
    let last = history.trials as f64 - 1.0;
    let y = ends(history.points.iter().map(|p| p.value).chain(history.baseline));
    let mut chart = Chart::new(width, [0.0, last], y);
    if let Some(baseline) = history.baseline {
        let y = chart.up(baseline);
        chart.canvas.dashes(y, Style::new());
    }
    let steps =
        history.best.iter().zip(history.best.iter().skip(1).map(|(n, _)| *n as f64).chain([last]));
    for ((from, value), to) in steps {
        let [from, to] = [*from as f64, to].map(|x| chart.at([x, *value]));
        chart.canvas.line(from, to, best());
    }
    for wanted in [None, Some(false), Some(true)] {
        let style = if wanted == Some(false) { infeasible() } else { feasible() };
        for point in history.points.iter().filter(|point| point.feasible == wanted) {
            let at = chart.at([point.number as f64, point.value]);
            chart.canvas.dot(at, style);
        }
    }
    chart.write(out, "trial")?;
    let kept = history.points.iter().filter(|point| point.feasible == Some(true)).count();
    let best = match history.best.last() {
        Some((number, value)) => {
            format!("best feasible {} in trial {number} (line)", shown(*value))
        }
        None => "none is feasible yet".into(),
    };
    let baseline =
        history.baseline.map_or(String::new(), |b| format!("; baseline {} (dashes)", shown(b)));
    writeln!(
        out,
        "  {} trials, {kept} feasible, {} failed; {best}{baseline}\n",
        history.trials,
        history.failed.len()
    )
}

fn violation(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let accounts = data::spending(study);
    if accounts.is_empty() {
        return writeln!(out, "Cumulative violation\n  The study has no constraints.\n");
    }
    accounts.iter().try_for_each(|account| spent(out, account, study.trials().len(), width))
}

fn spent(out: &mut impl Write, account: &Spending, trials: usize, width: usize) -> io::Result<()> {
    let total = shown(account.spent());
    let of = account.budget.map_or(", no budget".into(), |b| format!(" of {} (dashes)", shown(b)));
    writeln!(out, "Cumulative violation of {}: spent {total}{of}", name(&account.constraint))?;
    if account.steps.is_empty() {
        return writeln!(out, "  It has not been measured yet.\n");
    }
    let most = account.spent().max(account.budget.unwrap_or(0.0));
    let mut chart = Chart::new(width, [0.0, trials as f64 - 1.0], [0.0, most]);
    let mut before = [0.0, 0.0];
    for (number, total) in &account.steps {
        let corner = [*number as f64, before[1]];
        let next = [*number as f64, *total];
        for [from, to] in [[before, corner], [corner, next]] {
            let [from, to] = [from, to].map(|at| chart.at(at));
            chart.canvas.line(from, to, feasible());
        }
        before = next;
    }
    if let Some(budget) = account.budget {
        let y = chart.up(budget);
        chart.canvas.dashes(y, limit());
    }
    chart.write(out, "trial")?;
    writeln!(out)
}

fn penalty(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let trace = study.penalty_trace();
    let constraints = &study.spec().constraints;
    if constraints.is_empty() || trace.is_empty() {
        return writeln!(out, "Penalty trace\n  There is no constraint, or no round yet.\n");
    }
    for (i, constraint) in constraints.iter().enumerate() {
        let values: Vec<f64> = trace.iter().filter_map(|round| round.get(i).copied()).collect();
        writeln!(out, "Penalty of {}", name(&constraint.to_string()))?;
        let most = ends(values.iter().copied())[1];
        let mut chart = Chart::new(width, [1.0, values.len() as f64], [0.0, most.max(0.0)]);
        for (k, pair) in values.windows(2).enumerate() {
            let at = [0, 1].map(|j| chart.at([(k + 1 + j) as f64, pair[j]]));
            chart.canvas.line(at[0], at[1], best());
        }
        chart.write(out, "round")?;
        writeln!(out)?;
    }
    Ok(())
}

fn delay(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
    let delays = data::delays(study);
    writeln!(out, "Delay of results, in rounds ({} pending)", delays.pending)?;
    if delays.counts.is_empty() {
        return writeln!(out, "  No trial that was asked for is complete yet.\n");
    }
    let each = delays.counts.len().div_ceil(MOST_ROWS);
    let bars: Vec<u64> = delays.counts.chunks(each).map(|part| part.iter().sum()).collect();
    let most = bars.iter().copied().max().unwrap_or(1).max(1);
    for (i, count) in bars.iter().enumerate() {
        let length = (*count as f64 / most as f64 * (width - 20) as f64).ceil() as usize;
        let style = feasible();
        writeln!(out, "{:>8} {style}{}{style:#} {count}", i * each, "█".repeat(length))?;
    }
    writeln!(out)
}

fn timeline(out: &mut impl Write, study: &Study, times: &[u64], width: usize) -> io::Result<()> {
    let bars = data::timeline(study, times);
    writeln!(out, "Timeline")?;
    let shown = &bars[bars.len().saturating_sub(MOST_ROWS)..];
    let (Some(start), Some(end)) =
        (shown.iter().map(|b| b.span[0]).min(), shown.iter().map(|b| b.span[1]).max())
    else {
        return writeln!(out, "  No trial has been asked for yet.\n");
    };
    let room = width - 26;
    let place = |at: u64| {
        ((at - start) as f64 / (end - start).max(1) as f64 * (room - 1) as f64).round() as usize
    };
    for bar in shown {
        let [from, to] = bar.span.map(place);
        let style = colour(bar);
        let worker = bar.worker.as_deref().map_or(String::new(), name);
        let worker: String = worker.chars().take(12).collect();
        let blocks = "█".repeat(to - from + 1);
        writeln!(
            out,
            "{:>6} {worker:<12} {}{style}{blocks}{style:#}{}",
            bar.number,
            " ".repeat(from),
            word(bar.outcome)
        )?;
    }
    let seconds = (end - start) as f64 / 1000.0;
    writeln!(
        out,
        "  the last {} of {} trials, {} s in all\n",
        shown.len(),
        bars.len(),
        self::shown(seconds)
    )
}

fn colour(bar: &Bar) -> Style {
    match bar.outcome {
        Outcome::Feasible => feasible(),
        Outcome::Infeasible | Outcome::Voided => infeasible(),
        Outcome::Running => best(),
        Outcome::Failed => limit(),
    }
}

/// What the colour says too, as there may be none.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Feasible => "",
        Outcome::Infeasible => " ×",
        Outcome::Running => " …",
        Outcome::Failed => " failed",
        Outcome::Voided => " voided",
    }
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
