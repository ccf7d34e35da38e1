//! `rpol report`: all about a study on one page.

mod tables;

use std::path::{Path, PathBuf};

use anyhow::Result;
use indicatif::ProgressBar;
use rpol::store::Shared;
use rpol_plot::page::{details, escaped, page};
use rpol_plot::picture::Kind;

use crate::plot;
use crate::verbs::Target;

/// Write a page about a study: what to run now and why, the ledger, every picture, the trials.
///
/// One HTML file without script that needs no network.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol report cache                   all about it on one page, report.html")]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// The file to write.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.load()?;
    write(&args.out, &shared, false)
}

/// Writes the page, and says so.
pub(crate) fn write(path: &Path, shared: &Shared, is_quiet: bool) -> Result<()> {
    plot::write(path, html(shared)?.as_bytes(), is_quiet)
}

fn html(shared: &Shared) -> Result<String> {
    let study = shared.study();
    let title = format!("Study {}", study.spec().name);
    let mut body = format!("<h1>{}</h1>\n", escaped(&title));
    let status = study.status();
    body += &tables::recommendation(study, status.recommendation.as_ref());
    body += "<h2>Ledger</h2>\n";
    body += &tables::ledger(&status.ledger);
    body += "<h2>Pictures</h2>\n";
    let bar = ProgressBar::new(Kind::ALL.len() as u64);
    for kind in Kind::ALL {
        let svg = kind.svg(study, shared.times());
        body += &format!(
            "<figure id=\"{}\">\n<div class=\"picture\">{svg}</div>\n</figure>\n",
            kind.name()
        );
        bar.inc(1);
    }
    bar.finish_and_clear();
    body += "<h2>Trials</h2>\n";
    body += &tables::trials(study);
    body += "<h2>Definition and log</h2>\n";
    body += &details("The definition", &serde_json::to_string_pretty(study.spec())?);
    body += &tables::log(study);
    Ok(page(&title, &body))
}
