//! One page with everything: no script, nothing from the network.

use super::table::{COLUMNS, cell};
use super::{Figure, Report};
use crate::paper::{Origin, SETTINGS, Standing, Summary, VERSION};
use anyhow::Result;
use rpol_plot::page::{self, details, escaped};

/// The page; `figures` has those of every experiment, in order.
pub fn page(report: &Report<'_>, figures: &[Vec<Figure>]) -> Result<String> {
    let mut body = introduction(report);
    for (summary, figures) in report.summaries.iter().zip(figures) {
        let title = report.settings.title(summary.experiment.name())?;
        body += &format!("<h2>{}</h2>\n", escaped(title));
        body += &table(summary);
        figures.iter().for_each(|figure| body += &figure.element());
        body += &studies(summary)?;
    }
    body += &format!(
        "<h2>Settings</h2>\n<p>Every number, with where the paper prints it or why it was chosen.</p>\n\
         {}",
        details("The settings file", SETTINGS)
    );
    let title = format!("The paper's experiments, preset {}", report.request.preset_name());
    Ok(page::page(&title, &body))
}

fn introduction(report: &Report<'_>) -> String {
    format!(
        "<h1>The experiments of “Rectified Pessimistic-Optimistic Learning for Stochastic Continuum-armed \
         Bandit with Constraints”</h1>\n\
         <p>Maximise f subject to g ≤ 0, both unknown and read with noise. Lower is better in every column: regret \
         R = Σ f* − f(x<sub>t</sub>) against the continuous optimum, signed as in the paper, so that infeasible points \
         can lower it; R+ = Σ max(f* − f(x<sub>t</sub>), 0); violation V = Σ max(g(x<sub>t</sub>), 0) of the true g; \
         soft violation max(Σ g(x<sub>t</sub>), 0), where one round makes up for another. All are per round, \
         {seeds}.</p>\n\
         <p>The time of an ask was taken while other runs may have shared the processor.</p>\n\
         {again}",
        seeds = match report.request.seeds {
            1 => "of a single seed, so without intervals".to_string(),
            n => format!("mean of {n} seeds ± half the width of the 95 % Student t interval"),
        },
        again = again(&report.command),
    )
}

/// How to make a report again.
pub(crate) fn again(command: &str) -> String {
    format!(
        "<h2>Run it again</h2>\n<p>With rpol {VERSION}; the number of threads (<code>--jobs</code>) changes no result \
         but the times.</p>\n<pre>{}</pre>\n",
        escaped(command)
    )
}

fn table(summary: &Summary) -> String {
    let headings = std::iter::once("algorithm").chain(COLUMNS.iter().map(|column| column.0));
    let headings: Vec<&str> = headings.collect();
    let table = page::table(&headings, summary.algorithms.iter().map(row));
    format!("{table}<p class=\"ours\">* not compared in the paper; added here.</p>\n")
}

fn row(algorithm: &Standing) -> Vec<String> {
    let star = if algorithm.origin == Origin::Ours { " *" } else { "" };
    let cells = COLUMNS.iter().map(|column| {
        let (mean, half) = cell(&algorithm.totals, column);
        format!("{mean} <small>± {half}</small>")
    });
    let name = format!("{}{star}", escaped(&algorithm.label));
    std::iter::once(name).chain(cells).collect()
}

fn studies(summary: &Summary) -> Result<String> {
    let mut text = String::new();
    for algorithm in &summary.algorithms {
        let title = format!("{}: the study of seed 0, resolved", algorithm.label);
        text += &details(&title, &serde_json::to_string_pretty(&algorithm.spec)?);
    }
    Ok(text)
}
