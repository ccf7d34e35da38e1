//! Tables, figures and a page that holds them all.

mod curves;
mod figures;
mod html;
mod json;
mod table;

pub use curves::csv;
pub use figures::{Figure, figures};
pub(crate) use html::again;
pub use html::page;
pub use json::{digest, results};
pub use rpol_plot::drawing::digits;
pub(crate) use table::aligned;
pub use table::table;

use super::request::Request;
use super::settings::Settings;
use super::summary::Summary;
use anyhow::Result;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Everything a report is made from.
#[derive(Debug)]
pub struct Report<'a> {
    /// What was asked for.
    pub request: &'a Request,
    /// Where its numbers come from.
    pub settings: &'a Settings,
    /// What came out.
    pub summaries: &'a [Summary],
    /// The command that makes it again.
    pub command: String,
}

/// Writes tables, figures and the page into a folder.
pub fn write(report: &Report<'_>, folder: &Path) -> Result<()> {
    let write = |name: &str, bytes: &[u8]| write_whole(&folder.join(name), bytes, Replace::Own);
    let mut drawn = Vec::new();
    for summary in report.summaries {
        write(&format!("{}.csv", summary.experiment.name()), csv(summary).as_bytes())?;
        let figures = figures(report, summary)?;
        figures.iter().try_for_each(|figure| figure.write(folder))?;
        drawn.push(figures);
    }
    write("results.json", serde_json::to_string_pretty(&results(report))?.as_bytes())?;
    write("report.html", page(report, &drawn)?.as_bytes())
}
