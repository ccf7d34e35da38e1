//! `rpol lab verify`: every statement of the theory by simulation, and controls that must fail.

use std::io::Write;
use std::num::NonZeroUsize;

use anyhow::{Result, bail};
use clap::ValueEnum;
use rpol_lab::verify::{Effort, Family, Row, Verification};

use crate::lab::batch::bar;

/// Check every statement of the theory by simulation.
///
/// The functions are drawn from the kernel's space with an exactly known norm, so the assumptions of the theory hold and
/// its inequalities must too: each is tried in many runs, and the share of runs in which it held is
/// compared with the share that is promised (a one-sided binomial test at 1 in 1000). Controls break one
/// piece of the algorithm or of a claim, and must be seen to fail.
///
/// Exits with 1 when a statement fails or a control does not.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Fewer and shorter runs: seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// How to write the rows.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Threads; the rows do not depend on it. As many as the machine has, unless given.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let verification = Verification::new(if args.quick { Effort::quick() } else { Effort::full() });
    let machine = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let bar = bar(verification.steps() as u64, "{bar:32} run {pos} of {len}, {eta} left");
    let rows = verification.run(args.jobs.unwrap_or_else(machine), &|| bar.inc(1))?;
    bar.finish_and_clear();
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Table => table(&mut out, &rows)?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?,
    }
    judge(&rows)
}

fn table(out: &mut impl Write, rows: &[Row]) -> Result<()> {
    writeln!(out, "{:<53} {:>11} {:>8} {:>8}  verdict", "", "held", "promised", "tightest")?;
    for family in rows.chunk_by(|a, b| a.family == b.family) {
        writeln!(out, "\n{}", heading(family[0].family))?;
        for row in family {
            line(out, row)?;
        }
    }
    let count = |control: bool| {
        let own = rows.iter().filter(move |row| (row.family == Family::Control) == control);
        let fine = own.clone().filter(|row| row.as_expected).count();
        format!("{fine} of {}", own.count())
    };
    writeln!(out, "\n{} statements hold, {} controls are detected.", count(false), count(true))?;
    Ok(())
}

fn line(out: &mut impl Write, row: &Row) -> Result<()> {
    let verdict = match (row.family, row.as_expected) {
        (Family::Control, true) => "detected",
        (Family::Control, false) => "NOT DETECTED",
        (_, true) => "holds",
        (_, false) => "FAILS",
    };
    let held = format!("{} of {}", row.held, row.runs);
    let Row { name, promised, tightest, inequality, .. } = row;
    writeln!(out, "  {name:<51} {held:>11} {promised:>8.3} {tightest:>8.4}  {verdict}")?;
    let note = row.note.as_ref().map_or(String::new(), |note| format!("; {note}"));
    writeln!(out, "      {inequality}{note}")?;
    Ok(())
}

fn heading(family: Family) -> &'static str {
    match family {
        Family::Confidence => "Confidence: Condition 1 and its lemmas",
        Family::Penalty => "Penalty: what the proofs use of Q",
        Family::ErrorSums => "Error sums at the points played",
        Family::Theorems => "Theorems, with their constants",
        Family::Coverage => "Coverage of widths that need no horizon",
        Family::Growth => "Growth",
        Family::Promise => "Promise: trials over a limit, by feedback alone",
        Family::Control => "Controls: broken on purpose, must be seen to fail",
    }
}

/// An error where some row is not as it should be.
fn judge(rows: &[Row]) -> Result<()> {
    let wrong: Vec<&str> =
        rows.iter().filter(|row| !row.as_expected).map(|row| row.name.as_str()).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    bail!("not as it should be: {}", wrong.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rpol_lab::verify::Statement;

    #[test]
    fn a_statement_that_fails_and_a_control_that_passes_are_errors() {
        let law = Statement::new(Family::Theorems, "law", "a <= b", 1.0);
        let broken = Statement::new(Family::Control, "broken", "a <= b", 1.0);
        assert!(judge(&[Row::of(&law, &[0.5]), Row::of(&broken, &[2.0])]).is_ok());
        for (row, name) in [(Row::of(&law, &[2.0]), "law"), (Row::of(&broken, &[0.5]), "broken")] {
            let error = judge(&[row]).expect_err("it is not as it should be");
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
