//! Tables, figures and a page that holds them all.

mod curves;
mod figures;
mod html;
mod json;
mod table;

pub use curves::csv;
pub(crate) use figures::of_curves;
pub use figures::{Figure, figures};
pub use html::page;
pub use json::{digest, results};
pub(crate) use table::aligned;
pub use table::table;

use super::archive::write_whole;
use super::request::Request;
use super::settings::Settings;
use super::summary::Summary;
use anyhow::Result;
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
    let write = |name: &str, bytes: &[u8]| write_whole(&folder.join(name), bytes);
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

/// A number to four significant digits, without needless zeros.
///
/// ```
/// use rpol_lab::paper::report::digits;
/// let numbers = [560.0, 0.077_862_5, -1.95, 0.223_606_8, 1.004, 12_345.678, 0.0];
/// assert_eq!(numbers.map(digits).join(" "), "560 0.07786 -1.95 0.2236 1.004 12346 0");
/// ```
pub fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let places = (3 - x.abs().log10().floor() as i32).clamp(0, 17) as usize;
    let text = format!("{x:.places$}");
    if places == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').into() }
}
