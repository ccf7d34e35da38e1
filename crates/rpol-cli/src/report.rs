//! `rpol report`: all about a study on one page.

mod tables;

use std::path::{Path, PathBuf};

use anyhow::Result;
use indicatif::ProgressBar;
use rpol::Spec;
use rpol::store::Shared;
use rpol_plot::Replace;
use rpol_plot::page::{details, escaped, page};
use rpol_plot::picture::Kind;

use crate::common::files::Force;
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
    /// The file to write; - is stdout.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let shared = args.target.load()?;
    write(&args.out, &shared, args.force.replace(), false)
}

/// Writes the page, and says so.
pub(crate) fn write(path: &Path, shared: &Shared, replace: Replace, is_quiet: bool) -> Result<()> {
    plot::write(path, html(shared)?.as_bytes(), replace, is_quiet)
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
    body += &details("The definition", &serde_json::to_string_pretty(&shown(study.spec()))?);
    body += &tables::log(study);
    Ok(page(&title, &body))
}

/// The definition without what its commands are given: a page is passed on, and arguments may hold secrets. What is left
/// of a command is its program and which parameters it gets.
fn shown(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    let names: Vec<String> =
        spec.params.params().keys().map(|name| format!("{{{name}}}")).collect();
    let brief = |command: &mut Vec<String>| {
        let given = names.iter().filter(|name| command.iter().any(|text| text.contains(*name)));
        let given: Vec<String> = given.cloned().collect();
        command.truncate(1);
        command.extend(given);
    };
    if let Some(run) = &mut spec.run {
        [&mut run.command, &mut run.setup, &mut run.teardown].into_iter().for_each(brief);
    }
    spec
}
