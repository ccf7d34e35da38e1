//! One page with everything: no script, nothing from the network.

use super::Report;
use super::table::{COLUMNS, LEGEND};
use crate::live::standing::Standing;
use crate::paper::report::again;
use rpol_plot::page::{self, escaped};

/// The page.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut body = format!(
        "<h1>The live course</h1>\n<p>Systems that run while they are tuned, from a baseline on; {}.</p>\n<p>{}.</p>\n\
         {}<h2>Over all systems</h2>\n",
        escaped(&report.settings()),
        escaped(LEGEND),
        again(&report.command),
    );
    let rounds = report.tournament.rounds as f64;
    let overall = report.overall();
    body += &table(&overall.iter().collect::<Vec<_>>(), rounds);
    for system in &report.tournament.systems {
        let (name, about) = (escaped(system.name), escaped(system.about));
        body += &format!("<h2>{name}</h2>\n<p>{about}.</p>\n");
        let standings: Vec<&Standing> =
            report.standings.iter().filter(|s| s.system == system.name).collect();
        body += &table(&standings, rounds);
    }
    page::page("The live course", &body)
}

fn table(standings: &[&Standing], rounds: f64) -> String {
    let headings = std::iter::once("player").chain(COLUMNS.iter().map(|(name, _)| *name));
    let row = |standing: &&Standing| {
        let cells = COLUMNS.iter().map(|(_, cell)| cell(standing, rounds));
        std::iter::once(escaped(&standing.player)).chain(cells).collect()
    };
    page::table(&headings.collect::<Vec<_>>(), standings.iter().map(row))
}
