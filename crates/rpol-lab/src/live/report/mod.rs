//! What came of a tournament, for people and for programs.

mod html;
mod json;
mod table;

pub use json::results;
pub use table::table;

use super::standing::Standing;
use super::tournament::Tournament;
use anyhow::Result;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// Everything a report is made from.
#[derive(Debug)]
pub struct Report<'a> {
    /// What was played.
    pub tournament: &'a Tournament,
    /// What came out, players of a system together.
    pub standings: &'a [Standing],
    /// The command that makes it again.
    pub command: String,
}

impl Report<'_> {
    /// How it was played.
    fn settings(&self) -> String {
        let Tournament { seeds, rounds, .. } = self.tournament;
        let count = seeds.end - seeds.start;
        let seeds = if count == 1 { "one seed".into() } else { format!("{count} seeds") };
        format!("live systems, T = {rounds} rounds, {seeds}")
    }

    /// The means of every player over the systems, in the order of the players.
    fn overall(&self) -> Vec<Standing> {
        let players = self.tournament.players.iter().map(|player| player.name());
        players.map(|player| Standing::over(player, self.standings)).collect()
    }
}

/// Writes the results and a page into a folder.
pub fn write(report: &Report<'_>, folder: &Path) -> Result<()> {
    let json = serde_json::to_string_pretty(&results(report))?;
    write_whole(&folder.join("results.json"), json.as_bytes(), Replace::Own)?;
    write_whole(&folder.join("report.html"), html::page(report).as_bytes(), Replace::Own)
}
