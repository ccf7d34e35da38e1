//! Tables, figures and a page that holds them all.

mod html;
mod json;
mod profile;
mod ratio;
mod scatter;
mod table;

pub use json::results;
pub use table::table;

use super::course::Conditions;
use super::overall::Overall;
use super::standing::Standing;
use super::tournament::Tournament;
use crate::paper::report::Figure;
use anyhow::Result;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Everything a report is made from.
#[derive(Debug)]
pub struct Report<'a> {
    /// What was played.
    pub tournament: &'a Tournament,
    /// How.
    pub conditions: Conditions,
    /// What came out: of each course, the standing of each contestant.
    pub standings: &'a [Vec<Standing>],
    /// The same over all courses.
    pub overall: &'a [Overall],
    /// The command that makes it again.
    pub command: String,
}

impl Report<'_> {
    fn seeds(&self) -> String {
        match self.tournament.seeds {
            1 => "one seed, so no interval".into(),
            n => format!("{n} seeds"),
        }
    }

    /// How everything was played.
    fn settings(&self) -> String {
        let Conditions { rounds, noise, delay } = self.conditions;
        let delay =
            delay.map_or(String::new(), |mean| format!(", delays of Poisson({mean}) rounds"));
        let seeds = self.seeds();
        let share = "of each output's deviation over the domain (the paper's experiments have the printed one)";
        format!("T = {rounds} rounds, {seeds}; noise of {noise} {share}{delay}")
    }

    /// Who had help.
    fn note(&self) -> Option<String> {
        let helped = self.overall.iter().filter(|o| o.starts_safe).map(|o| o.name.as_str());
        let helped: Vec<&str> = helped.collect();
        (!helped.is_empty())
            .then(|| format!("A feasible setting to start from was given to {}", helped.join(", ")))
    }

    fn figures(&self) -> Vec<Figure> {
        vec![scatter::all(self), scatter::each(self), profile::solved(self), ratio::within(self)]
    }
}

/// Writes figures, results and the page into a folder.
pub fn write(report: &Report<'_>, folder: &Path) -> Result<()> {
    let figures = report.figures();
    figures.iter().try_for_each(|figure| figure.write(folder))?;
    let json = serde_json::to_string_pretty(&results(report))?;
    write_whole(&folder.join("results.json"), json.as_bytes(), Replace::Own)?;
    write_whole(&folder.join("report.html"), html::page(report, &figures).as_bytes(), Replace::Own)
}
