//! One page with everything: no script, nothing from the network.

use super::Report;
use super::table::{COLUMNS, LEGEND};
use crate::live::standing::Standing;
use crate::paper::VERSION;
use rpol_plot::page::{self, escaped};

/// The page.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut body = format!(
        "<h1>The live course</h1>\n<p>Systems that run while they are tuned, from a baseline on; {}.</p>\n<p>{}.</p>\n\
         <h2>Run it again</h2>\n<p>With rpol {VERSION}; the number of threads (<code>--jobs</code>) changes no result but the \
         times.</p>\n<pre>{}</pre>\n<h2>Over all systems</h2>\n",
        escaped(&report.settings()),
        escaped(LEGEND),
        escaped(&report.command),
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
    let headings: String = COLUMNS.iter().map(|(name, _)| format!("<th>{name}</th>")).collect();
    let row = |standing: &&Standing| {
        let cells = COLUMNS.iter().map(|(_, cell)| format!("<td>{}</td>", cell(standing, rounds)));
        format!("<tr><td>{}</td>{}</tr>\n", escaped(&standing.player), cells.collect::<String>())
    };
    let rows: String = standings.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr><th>player</th>{headings}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}
