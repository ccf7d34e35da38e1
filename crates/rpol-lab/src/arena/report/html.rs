//! One page with everything: no script, nothing from the network.

use super::table::{ALL, COURSE, Column, LEGEND, starred};
use super::{Figure, Report};
use crate::arena::Course;
use crate::paper::report::again;
use rpol_plot::page::{self, escaped};

/// The page with these figures.
pub(super) fn page(report: &Report<'_>, figures: &[Figure]) -> String {
    let mut body = introduction(report);
    let names: Vec<String> = report.overall.iter().map(|o| o.name.clone()).collect();
    body += &table(&ALL, &names, report.overall);
    body += &report.note().map_or(String::new(), |note| format!("<p>{}.</p>\n", escaped(&note)));
    body += &figures.iter().map(Figure::element).collect::<String>();
    for (course, standings) in report.tournament.courses.iter().zip(report.standings) {
        let marked = names.iter().zip(standings).map(|(name, s)| starred(name, s));
        body +=
            &format!("<h2>{}</h2>\n<p>{}</p>\n", escaped(&course.name), escaped(&about(course)));
        body += &table(&COURSE, &marked.collect::<Vec<_>>(), standings);
    }
    page::page("The arena", &body)
}

fn introduction(report: &Report<'_>) -> String {
    format!(
        "<h1>The arena</h1>\n<p>Maximise f subject to g ≤ 0, both unknown and read with noise; every round counts. \
         {settings}. What is averaged over problems is divided by what uniform random play loses there, so that units do not matter.</p>\n\
         <p>{legend}. The time of an ask was taken while other runs may have shared the processor.</p>\n\
         {again}<h2>Over all problems</h2>\n",
        settings = escaped(&report.settings()),
        legend = escaped(LEGEND),
        again = again(&report.command),
    )
}

fn about(course: &Course) -> String {
    let problem = course.problem();
    let share = 100.0 * course.yardsticks[0].feasible;
    format!(
        "{} parameters, {} limits, {share:.1} % of the domain is feasible. {}.",
        problem.dims(),
        problem.constraints.len(),
        course.environment.source
    )
}

fn table<T>(columns: &[Column<T>], names: &[String], of: &[T]) -> String {
    let headings = std::iter::once("algorithm").chain(columns.iter().map(|column| column.0));
    let row = |(name, item): (&String, &T)| {
        let cells = columns.iter().map(|column| column.1(item));
        std::iter::once(escaped(name)).chain(cells).collect()
    };
    page::table(&headings.collect::<Vec<_>>(), names.iter().zip(of).map(row))
}
