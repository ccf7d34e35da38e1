//! Regret against violation: the trade-off as one picture.

use super::{Figure, Report};
use crate::arena::frontier::{counted, frontier};
use rpol_plot::drawing::{self, Axis, EDGE, Frame, Key, Panel, Sheet, Style, WIDTH, pair, stroke};

/// Half the width of a mark: of a contestant, of one of its courses, and on the map of a course.
const LARGE: f64 = 7.0;
const SMALL: f64 = 3.2;
const MIDDLE: f64 = 5.0;
/// Centres closer than so many times that cover each other; who does moves aside by so many.
const COVERED: f64 = 0.6;
const ASIDE: f64 = 1.2;
const FAINT: &str = r#"opacity="0.4""#;
const FRONTIER: &str = r##"fill="none" stroke="#999" stroke-width="1.2" stroke-dasharray="4 3""##;
const RANDOM: &str = r##"stroke="#c9c9c9" stroke-width="1" stroke-dasharray="2 3""##;
const COLUMNS: usize = 3;
const GUTTER: f64 = 16.0;
const UNITS: &str = "1 is what uniform random play loses; the axes are square roots, so that small losses are told apart; \
                     marks that would cover each other stand side by side";

/// Everybody over all courses, and on each course faintly.
pub(super) fn all(report: &Report<'_>) -> Figure {
    let title = "Regret against violation";
    let caption = format!(
        "Large: mean over {} problems; small and faint: each problem. {UNITS}. Down and to the left is better; dashed: \
         the frontier of the means. {}.",
        report.standings.len(),
        report.settings()
    );
    let means: Vec<[f64; 2]> =
        report.overall.iter().map(|o| [o.normal_regret, o.normal_violation]).collect();
    figure("scatter", title, caption, report, |sheet, axes, styles| {
        let left = EDGE + drawing::left_of(&axes[1]);
        let frame = Frame { left, top: sheet.top + 4.0, width: WIDTH - EDGE - left, height: 420.0 };
        let panel = Panel { frame, x: &axes[0], y: &axes[1] };
        sheet.draw(&ground(&panel));
        for course in places(report) {
            let marks: String = marks(&panel, &course, styles, SMALL);
            sheet.draw(&format!("<g {FAINT}>\n{marks}</g>\n"));
        }
        sheet.draw(&(edge(&panel, &means) + &marks(&panel, &means, styles, LARGE)));
        sheet.draw(&panel.surroundings());
        sheet.top = panel.frame.bottom() + drawing::BELOW;
    })
}

/// A small map for every course.
pub(super) fn each(report: &Report<'_>) -> Figure {
    let caption = format!(
        "A map for each problem, means over the seeds. {UNITS}. Dashed: the frontier. {}.",
        report.settings()
    );
    let title = "Regret against violation, problem by problem";
    figure("problems", title, caption, report, |sheet, axes, styles| {
        let margin = EDGE + drawing::left_of(&axes[1]);
        let room = WIDTH - EDGE - margin - GUTTER * (COLUMNS - 1) as f64;
        let side = room / COLUMNS as f64;
        let pitch = side + drawing::BELOW + 28.0;
        let top = sheet.top + 20.0;
        for (k, places) in places(report).iter().enumerate() {
            let (row, column) = (k / COLUMNS, k % COLUMNS);
            let left = margin + (side + GUTTER) * column as f64;
            let frame = Frame { left, top: top + pitch * row as f64, width: side, height: side };
            let panel = Panel { frame, x: &axes[0], y: &axes[1] };
            let drawn =
                ground(&panel) + &edge(&panel, places) + &marks(&panel, places, styles, MIDDLE);
            sheet.draw(&(drawn + &panel.surroundings_of_row(column == 0)));
            sheet.draw(&panel.heading(&report.tournament.courses[k].name, ""));
            sheet.top = panel.frame.bottom() + drawing::BELOW;
        }
    })
}

/// The picture with a key, once with its caption and once without.
fn figure(
    name: &str,
    title: &str,
    caption: String,
    report: &Report<'_>,
    draw: impl Fn(&mut Sheet, &[Axis; 2], &[&'static Style]),
) -> Figure {
    let styles = drawing::styles(report.overall.iter().map(|o| o.name.as_str()));
    let high = |i: usize| places(report).concat().iter().map(|at| at[i]).fold(1.0, f64::max);
    let axes = [("R⁺, random = 1", 0), ("V, random = 1", 1)];
    let axes = axes.map(|(name, i)| Axis::root(name, 1.08 * high(i)));
    let sheet = || {
        let mut sheet = Sheet::new(title);
        draw(&mut sheet, &axes, &styles);
        let names = report.overall.iter().map(|o| o.name.as_str());
        let keys: Vec<Key> = names.zip(&styles).map(|(name, style)| key(name, style)).collect();
        sheet.key(&keys);
        sheet
    };
    Figure::new(name, title, caption, |caption| sheet().finish(caption))
}

fn key<'a>(name: &'a str, style: &'static Style) -> Key<'a> {
    (Box::new(move |at| style.shape.element(at, 5.5, style.colour)), name)
}

/// Of each course, regret and violation of each contestant.
fn places(report: &Report<'_>) -> Vec<Vec<[f64; 2]>> {
    let place = |s: &crate::arena::Standing| [s.normal_regret.mean, s.normal_violation.mean];
    report.standings.iter().map(|course| course.iter().map(place).collect()).collect()
}

/// The grid, and where random play is.
fn ground(panel: &Panel<'_>) -> String {
    let (frame, [x, y]) = (&panel.frame, panel.at([1.0, 1.0]));
    let upright = stroke([x, frame.top], [x, frame.bottom()], RANDOM);
    panel.grid() + &upright + &stroke([frame.left, y], [frame.right(), y], RANDOM)
}

/// The first where it belongs and over the others; who would cover one before it moves aside.
fn marks(panel: &Panel<'_>, places: &[[f64; 2]], styles: &[&Style], reach: f64) -> String {
    let mut taken: Vec<[f64; 2]> = Vec::new();
    for place in places {
        let mut at = panel.at(*place);
        let covers = |at: [f64; 2], other: &[f64; 2]| {
            (at[0] - other[0]).hypot(at[1] - other[1]) < COVERED * reach
        };
        while taken.iter().any(|other| covers(at, other)) {
            at[0] += ASIDE * reach;
        }
        taken.push(at);
    }
    let mark = |(at, style): (&[f64; 2], &&Style)| style.shape.element(*at, reach, style.colour);
    taken.iter().zip(styles).rev().map(mark).collect()
}

/// A line through those on the frontier.
fn edge(panel: &Panel<'_>, places: &[[f64; 2]]) -> String {
    let losses: Vec<[f64; 2]> = places.iter().map(|at| counted(*at)).collect();
    let on_it = places.iter().zip(frontier(&losses)).filter_map(|(at, on_it)| on_it.then_some(*at));
    let mut corners: Vec<[f64; 2]> = on_it.collect();
    corners.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let path: Vec<String> = corners.iter().map(|at| pair(panel.at(*at))).collect();
    format!("<path d=\"M{}\" {FRONTIER}/>\n", path.join("L"))
}
