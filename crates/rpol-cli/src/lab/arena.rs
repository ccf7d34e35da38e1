//! `rpol lab arena`: algorithms against problems, run, averaged and drawn.

mod arguments;
mod catalogue;
mod live;
mod live_sheets;
mod sheets;

use crate::BadInput;
use crate::common::output::{self, say};
use crate::common::table::Format;
use crate::lab::batch::{bar, played, stop_on_interrupt, threads, writable};
use anyhow::Result;
use rpol_lab::arena::overall;
use rpol_lab::arena::report::{self, Report};

pub(crate) use arguments::Args;

/// Runs differ in length: counted in effort, the time left is nearly even.
const BAR: &str = "{bar:32} {percent:>3} %, {eta} left";

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        return output::text(&catalogue::text());
    }
    if let Some(systems) = live::wanted(&args.problems)? {
        return live::run(args, &systems);
    }
    let (tournament, conditions) = args.tournament()?;
    let bouts = tournament.bouts().map_err(|error| BadInput(format!("{error:#}")))?;
    writable(&args.out)?;
    let stop = stop_on_interrupt()?;
    let threads = threads(args.jobs);
    say!("playing {} runs on {threads} threads", bouts.len());
    let effort = bouts.iter().map(|bout| bout.effort() * bout.course.environment.horizon as u64);
    let bar = bar(effort.sum(), BAR);
    let outcome = tournament.play(&bouts, threads, &stop, &|bout| bar.inc(bout.effort()));
    bar.finish_and_clear();
    let standings = played(outcome?, bouts.len())?;
    let overall = overall(&tournament.contestants, &standings);
    let command = args.command();
    let report = Report {
        tournament: &tournament,
        conditions,
        standings: &standings,
        overall: &overall,
        command,
    };
    report::write(&report, &args.out)?;
    sheets::write(&report, &args.out)?;
    say!("wrote {}", args.out.join("report.html").display());
    output::text(&match args.format {
        Format::Table => report::table(&report),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&report::results(&report))?),
        Format::Csv => sheets::standings(&report).csv(),
    })
}
