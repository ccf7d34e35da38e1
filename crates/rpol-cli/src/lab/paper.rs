//! `rpol lab paper`: the paper's experiments, run, averaged and drawn.

mod arguments;
mod progress;

use anyhow::Result;
use rpol_lab::paper::report::{self, Report};
use rpol_lab::paper::{Archive, Job, Settings, play_all, summarize};

use crate::BadInput;
use crate::common::output::{self, say};
use crate::exit::Interrupted;
use crate::lab::batch::{quoted, stop_on_interrupt, threads, writable};
pub(crate) use arguments::Args;
use arguments::Format;
use progress::Bars;

pub(crate) fn run(args: &Args) -> Result<()> {
    let settings = Settings::load()?;
    let request = args.request(&settings).map_err(BadInput)?;
    writable(&args.out)?;
    let stop = stop_on_interrupt()?;
    let archive = Archive::open(&args.out)?;
    let jobs = request.jobs(&settings)?;
    let missing = missing(&jobs, &archive)?;
    let (all, reused) = (jobs.len(), jobs.len() - missing.len());
    let threads = threads(args.jobs);
    say!("reused {reused} runs of {all}, playing {} on {threads} threads", missing.len());
    let bars = Bars::new(&missing);
    let played = play_all(&missing, &archive, threads, &stop, &|job| bars.round(job));
    bars.clear();
    let kept = reused + played?;
    if kept < all {
        let folder = args.out.join("runs");
        let remedy = "no report was written: the same command again continues from here";
        say!("interrupted: {kept} of {all} runs are kept in {}; {remedy}", folder.display());
        return Err(Interrupted.into());
    }
    let summaries = summarize(&request, &settings, &jobs, &archive)?;
    let command =
        format!("{} --out {}", request.command(), quoted(&args.out.display().to_string()));
    let report = Report { request: &request, settings: &settings, summaries: &summaries, command };
    report::write(&report, &args.out)?;
    say!("wrote {}", args.out.join("report.html").display());
    let text = match args.format {
        Format::Table => report::table(&report),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&report::digest(&report))?),
    };
    output::text(&text)
}

/// Those whose run is not at hand.
fn missing(jobs: &[Job], archive: &Archive) -> Result<Vec<Job>> {
    let absent = |job: &&Job| archive.find(job).map(|run| run.is_none());
    let absent = |job| absent(&job).map(|absent| absent.then(|| job.clone()));
    jobs.iter().map(absent).filter_map(Result::transpose).collect()
}
