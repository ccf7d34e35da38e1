//! Pictures made of bars.

use super::terminal::{best, feasible, infeasible, limit, name};
use anstyle::Style;
use rpol::Study;
use rpol_plot::picture::data::{self, Bar, Outcome};
use rpol_plot::picture::shown;
use std::io::{self, Write};

/// Bars of a histogram and rows of a timeline: more do not help on a terminal.
const MOST_ROWS: usize = 30;

pub(super) fn delay(out: &mut impl Write, study: &Study, width: usize) -> io::Result<()> {
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

pub(super) fn timeline(
    out: &mut impl Write,
    study: &Study,
    times: &[u64],
    width: usize,
) -> io::Result<()> {
    let bars = data::timeline(study, times);
    writeln!(out, "Timeline")?;
    let last = &bars[bars.len().saturating_sub(MOST_ROWS)..];
    let (Some(start), Some(end)) =
        (last.iter().map(|b| b.span[0]).min(), last.iter().map(|b| b.span[1]).max())
    else {
        return writeln!(out, "  No trial has been asked for yet.\n");
    };
    // After the bar there may be a word.
    let room = width - 28;
    let place = |at: u64| {
        ((at - start) as f64 / (end - start).max(1) as f64 * (room - 1) as f64).round() as usize
    };
    for bar in last {
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
        last.len(),
        bars.len(),
        shown(seconds)
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
