//! How often who is how near to the best (Dolan & Moré 2002).

use super::{Figure, Report};
use rpol_plot::drawing::{self, Axis, EDGE, Frame, Panel, Sheet, Style, WIDTH, line_key, pair};

/// Farther from the best is not told apart.
const FARTHEST: f64 = 10.0;
/// A loss below this is none: a thousandth of what random play loses.
const NONE: f64 = 1e-3;

/// The share of the problems on which a contestant loses at most so many times what the best loses there.
pub(super) fn within(report: &Report<'_>) -> Figure {
    let title = "How near to the best, regret and violation together";
    let caption = format!(
        "Share of the {} problems on which R⁺ + V, each over that of random play, is at most so many times that of the best \
         there (Dolan & Moré 2002); left: how often best, right: how rarely bad. {}.",
        report.standings.len(),
        report.settings()
    );
    Figure::new("ratio", title, caption, |caption| drawn(report, title).finish(caption))
}

fn drawn(report: &Report<'_>, title: &str) -> Sheet {
    let mut sheet = Sheet::new(title);
    let x = Axis::log("times the loss of the best", [1.0, FARTHEST]);
    let y = Axis::straight("share of problems", [-0.03, 1.03], 6, 0.0);
    let left = EDGE + drawing::left_of(&y);
    let frame = Frame { left, top: sheet.top + 4.0, width: WIDTH - EDGE - left, height: 360.0 };
    let panel = Panel { frame, x: &x, y: &y };
    sheet.draw(&panel.grid());
    let styles = drawing::styles(report.overall.iter().map(|o| o.name.as_str()));
    let ratios = ratios(report);
    for (i, style) in styles.iter().enumerate().rev() {
        let mine = ratios.iter().map(|course| course[i]).collect();
        sheet.draw(&steps(&panel, mine, style));
    }
    sheet.draw(&panel.surroundings());
    sheet.top = panel.frame.bottom() + drawing::BELOW;
    let names = report.overall.iter().map(|o| o.name.as_str());
    let keys: Vec<_> = names.zip(&styles).map(|(name, s)| (line_key(pen(s)), name)).collect();
    sheet.key(&keys);
    sheet
}

/// Of each course, how many times the loss of the best each contestant loses.
fn ratios(report: &Report<'_>) -> Vec<Vec<f64>> {
    let ratios = |course: &Vec<crate::arena::Standing>| {
        let loss = |s: &crate::arena::Standing| s.normal_regret.mean + s.normal_violation.mean;
        let losses: Vec<f64> = course.iter().map(|s| loss(s).max(NONE)).collect();
        let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
        losses.into_iter().map(|loss| loss / best).collect()
    };
    report.standings.iter().map(ratios).collect()
}

/// A stair that rises at every ratio.
fn steps(panel: &Panel<'_>, mut ratios: Vec<f64>, style: &Style) -> String {
    ratios.sort_by(f64::total_cmp);
    let count = ratios.len() as f64;
    let mut corners = vec![[1.0, 0.0]];
    for (i, ratio) in ratios.iter().enumerate().filter(|(_, ratio)| **ratio <= FARTHEST) {
        corners.extend([[*ratio, i as f64 / count], [*ratio, (i + 1) as f64 / count]]);
    }
    let height = corners[corners.len() - 1][1];
    corners.push([FARTHEST, height]);
    let path: Vec<String> = corners.iter().map(|at| pair(panel.at(*at))).collect();
    format!("<path d=\"M{}\" {}/>\n", path.join("L"), pen(style))
}

fn pen(style: &Style) -> String {
    let Style { colour, dash, .. } = style;
    let dash = if dash.is_empty() { "none" } else { dash };
    format!(r#"fill="none" stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dash}""#)
}
