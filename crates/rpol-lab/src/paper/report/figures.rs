//! The paper's figures, the penalties, and where the points fall.

use super::{Report, digits};
use crate::paper::{self, Estimate, Noise, Summary};
use crate::problem::{Environment, Phase};
use anyhow::Result;
use rpol_plot::figure::{self, Curves, Line, Panel, PointMaps};
use rpol_plot::page;
use rpol_plot::{Replace, write_whole};
use std::path::Path;

/// A picture and its words.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Of its file, without the ending.
    pub name: String,
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// All its settings.
    pub caption: String,
    /// The picture with the caption, to stand alone.
    pub svg: String,
    /// The picture without, for a page that has the caption as text.
    pub plain: String,
}

impl Figure {
    /// What `svg` draws, with its caption and without.
    pub(crate) fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        caption: String,
        mut svg: impl FnMut(&str) -> String,
    ) -> Self {
        let (drawn, plain) = (svg(&caption), svg(""));
        Self { name: name.into(), title: title.into(), svg: drawn, plain, caption }
    }

    /// The figure of a chart; its caption comes apart.
    pub(crate) fn of(name: impl Into<String>, mut curves: Curves) -> Self {
        let caption = std::mem::take(&mut curves.caption);
        Self::new(name, curves.title.clone(), caption, |caption| {
            curves.caption = caption.into();
            curves.svg()
        })
    }

    /// As a part of a page.
    pub(crate) fn element(&self) -> String {
        page::figure(&self.name, &self.title, &self.caption, &self.plain)
    }

    /// Writes it into a folder, for the screen and for print.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let file = |ending: &str| folder.join(format!("{}.{ending}", self.name));
        write_whole(&file("svg"), self.svg.as_bytes(), Replace::Own)?;
        write_whole(&file("png"), &figure::png(&self.svg, PNG_SCALE)?, Replace::Own)
    }
}

/// Pixels of a PNG for each unit of its SVG: sharp in print.
const PNG_SCALE: f32 = 2.0;

type Series = fn(&paper::Curves) -> &[Estimate];

/// Every figure of an experiment.
pub fn figures(report: &Report<'_>, summary: &Summary) -> Result<Vec<Figure>> {
    let environment = summary.experiment.environment(report.request.rounds, report.request.noise);
    let settings = caption(report, summary)?;
    let title = report.settings.title(summary.experiment.name())?;
    let series: [(&str, &str, &str, Series); 4] = [
        ("regret", "average regret", "R(t)/t", |c| &c.regret),
        ("violation", "average violation", "V(t)/t", |c| &c.violation),
        ("regret-plus", "average positive regret", "R+(t)/t", |c| &c.regret_plus),
        ("penalty", "penalty", "Q(t)", |c| &c.penalty),
    ];
    let mut figures = Vec::new();
    for (name, what, y, of) in series {
        let curves = Curves {
            title: format!("{title}: {what}"),
            x: "round t".into(),
            y: y.into(),
            caption: format!(
                "{}; {}. {settings}",
                what_is_shown(name),
                seeds(report.request.seeds)
            ),
            lines: lines(summary, of),
            marks: marks(&environment),
        };
        figures.push(Figure::of(format!("{}-{name}", summary.experiment.name()), curves));
    }
    // Over few rounds a phase may have none.
    let played = |i: &usize| environment.phases[*i].first_round <= environment.horizon;
    for i in (0..environment.phases.len()).filter(played) {
        figures.push(points(summary, title, &environment, i, &settings));
    }
    Ok(figures)
}

fn what_is_shown(name: &str) -> &'static str {
    match name {
        "regret" => {
            "R(t)/t against the best feasible point, signed as in the paper: infeasible points can make it negative"
        }
        "violation" => "V(t)/t, the mean of max(g, 0)",
        "regret-plus" => "R+(t)/t, the mean of max(f* - f, 0): infeasible points earn nothing",
        _ => {
            "The multiplier each decision used: Q of RPOL, phi of CKB, rho of EPBO; the others have none"
        }
    }
}

fn seeds(count: u64) -> String {
    match count {
        1 => "one seed, so no interval".into(),
        n => format!("mean of {n} seeds with its 95 % Student t interval"),
    }
}

fn caption(report: &Report<'_>, summary: &Summary) -> Result<String> {
    let request = report.request;
    let noise = match request.noise {
        Noise::Variance(v) => {
            format!("variance {} (deviation {})", digits(v), digits(request.noise.std()))
        }
        Noise::Deviation(s) => format!("deviation {} (variance {})", digits(s), digits(s * s)),
    };
    let (rounds, preset) = (request.rounds, request.preset_name());
    let constants = report.settings.caption(request, summary.experiment.name())?;
    Ok(format!("T = {rounds} rounds, noise of {noise}, preset {preset}: {constants}."))
}

fn lines(summary: &Summary, of: Series) -> Vec<Line> {
    let drawn = summary.algorithms.iter().filter(|a| !of(&a.curves).is_empty());
    let line = |a: &paper::Standing| Line {
        label: a.label.clone(),
        mean: of(&a.curves).iter().map(|e| e.mean).collect(),
        half_width: of(&a.curves).iter().map(|e| e.half_width).collect(),
    };
    drawn.map(line).collect()
}

fn marks(environment: &Environment) -> Vec<(f64, String)> {
    let changes = environment.phases.iter().skip(1);
    changes.map(|phase| (phase.first_round as f64, "the system changes".to_string())).collect()
}

/// Where seed 0 played while one phase held.
fn points(
    summary: &Summary,
    title: &str,
    environment: &Environment,
    index: usize,
    settings: &str,
) -> Figure {
    let phase: &Phase = &environment.phases[index];
    let next = environment.phases.get(index + 1).map(|phase| phase.first_round);
    let (first, last) = (phase.first_round, next.map_or(environment.horizon, |next| next - 1));
    let problem = &phase.problem;
    let feasible = |x: [f64; 2]| problem.g(&x).iter().all(|g| *g <= 0.0);
    let panel = |a: &paper::Standing| Panel {
        label: a.label.clone(),
        points: a.points.iter().take(last).skip(first - 1).copied().collect(),
    };
    let mut maps = PointMaps {
        title: format!("{title}: points of rounds {first} to {last}, seed 0"),
        x: problem.domain[0].name.clone(),
        y: problem.domain[1].name.clone(),
        caption: format!("Every point that seed 0 played, over the feasible region. {settings}"),
        low: [problem.domain[0].low, problem.domain[1].low],
        high: [problem.domain[0].high, problem.domain[1].high],
        regions: vec![("feasible".into(), &feasible)],
        optima: vec![("optimum".into(), [problem.optimum.x[0], problem.optimum.x[1]])],
        panels: summary.algorithms.iter().map(panel).collect(),
    };
    let phase = if environment.phases.len() > 1 { (index + 1).to_string() } else { String::new() };
    let name = format!("{}-points{phase}", summary.experiment.name());
    let caption = std::mem::take(&mut maps.caption);
    Figure::new(name, maps.title.clone(), caption, |caption| {
        maps.caption = caption.into();
        maps.svg()
    })
}
