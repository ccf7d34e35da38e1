//! The run as a picture: the plane with what was tried, and the two series beside it.

use std::fmt::Write;

use rpol_lab::problem::Problem;

use super::play::{Round, cumulative_violation};

const PLANE: Frame = Frame { left: 48.0, top: 48.0, width: 400.0, height: 400.0 };
const VIOLATION: Frame = Frame { left: 520.0, top: 48.0, width: 300.0, height: 170.0 };
const PENALTY: Frame = Frame { left: 520.0, top: 278.0, width: 300.0, height: 170.0 };
/// Lines that shade the feasible part.
const SCAN: usize = 400;
/// First and last round; those between are mixed.
const EARLY: [f64; 3] = [253.0, 200.0, 70.0];
const LATE: [f64; 3] = [60.0, 20.0, 130.0];

/// A rectangle of the picture.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn x(&self, share: f64) -> f64 {
        self.left + share * self.width
    }

    /// From the bottom up.
    fn y(&self, share: f64) -> f64 {
        self.top + (1.0 - share) * self.height
    }

    fn outline(&self) -> String {
        let Self { left, top, width, height } = self;
        format!(
            r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>"##
        )
    }
}

/// The whole file.
pub(super) fn picture(problem: &Problem, rounds: &[Round]) -> String {
    let penalties: Vec<f64> = rounds.iter().map(|round| round.penalty).collect();
    let parts = [
        plane(problem, rounds),
        series(&VIOLATION, "cumulative violation V(t)", "#c0392b", &cumulative_violation(rounds)),
        series(&PENALTY, "penalty Q", "#2c5f8a", &penalties),
    ];
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 500" width="860" height="500" font-family="sans-serif" font-size="13" fill="#333">
<rect width="860" height="500" rx="8" fill="white"/>
{}</svg>
"##,
        parts.concat()
    )
}

fn plane(problem: &Problem, rounds: &[Round]) -> String {
    let mut out = String::new();
    let title = format!("rpol on {}, {} rounds", problem.name, rounds.len());
    line(&mut out, &text(PLANE.left, PLANE.top - 14.0, "start", &title));
    line(&mut out, &feasible(problem));
    for (t, round) in rounds.iter().enumerate() {
        let late = t as f64 / (rounds.len() - 1).max(1) as f64;
        line(&mut out, &tried(problem, round, late));
    }
    line(&mut out, &optimum(problem));
    line(&mut out, &PLANE.outline());
    let (across, up) = (&problem.domain[0], &problem.domain[1]);
    let (below, beside) = (PLANE.y(0.0) + 18.0, PLANE.left - 8.0);
    line(&mut out, &text(PLANE.x(0.0), below, "middle", &across.low.to_string()));
    line(&mut out, &text(PLANE.x(0.5), below, "middle", &across.name));
    line(&mut out, &text(PLANE.x(1.0), below, "middle", &across.high.to_string()));
    line(&mut out, &text(beside, PLANE.y(0.0), "end", &up.low.to_string()));
    line(&mut out, &text(beside, PLANE.y(0.5), "end", &up.name));
    line(&mut out, &text(beside, PLANE.y(1.0) + 10.0, "end", &up.high.to_string()));
    out + &legend()
}

fn line(out: &mut String, element: &str) {
    out.push_str(element);
    out.push('\n');
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>"#)
}

/// Scan lines wherever the limit holds.
fn feasible(problem: &Problem) -> String {
    let holds = |i: usize, row: f64| {
        let unit = [(i as f64 + 0.5) / SCAN as f64, row];
        problem.is_feasible(&problem.from_unit(&unit))
    };
    let mut path = String::new();
    for j in 0..SCAN {
        let row = (j as f64 + 0.5) / SCAN as f64;
        let mut i = 0;
        while i < SCAN {
            let run = (i..SCAN).take_while(|i| holds(*i, row)).count();
            if run > 0 {
                let (x, y) = (PLANE.x(i as f64 / SCAN as f64), PLANE.y(row));
                let length = PLANE.width * run as f64 / SCAN as f64;
                write!(path, "M{x:.1} {y:.1}h{length:.1}").expect("a string takes all");
            }
            i += run + 1;
        }
    }
    let height = PLANE.height / SCAN as f64 + 0.2;
    format!(r##"<path d="{path}" stroke="#a9dfbf" stroke-width="{height}"/>"##)
}

/// A disc where the limit held, a ring where it did not.
fn tried(problem: &Problem, round: &Round, late: f64) -> String {
    let colour = mixed(late);
    let fill = if round.g > 0.0 { "none" } else { &colour };
    let (x, y) = on_plane(problem, &round.x);
    format!(
        r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#
    )
}

fn mixed(late: f64) -> String {
    let part = |i: usize| (EARLY[i] + late * (LATE[i] - EARLY[i])).round();
    format!("rgb({},{},{})", part(0), part(1), part(2))
}

fn optimum(problem: &Problem) -> String {
    let (x, y) = on_plane(problem, &problem.optimum.x);
    cross(x, y)
}

fn cross(x: f64, y: f64) -> String {
    format!(
        r##"<path d="M{:.1} {y:.1}h16M{x:.1} {:.1}v16" stroke="#c0392b" stroke-width="2"/>"##,
        x - 8.0,
        y - 8.0
    )
}

fn on_plane(problem: &Problem, x: &[f64]) -> (f64, f64) {
    let share = |d: usize| (x[d] - problem.domain[d].low) / problem.domain[d].width();
    (PLANE.x(share(0)), PLANE.y(share(1)))
}

fn legend() -> String {
    let y = PLANE.y(0.0) + 38.0;
    let (early, late) = (mixed(0.0), mixed(1.0));
    let mark = y - 4.0;
    let mut out = String::new();
    line(
        &mut out,
        &format!(r##"<rect x="48" y="{}" width="14" height="12" fill="#a9dfbf"/>"##, mark - 6.0),
    );
    line(&mut out, &text(68.0, y, "start", "feasible"));
    line(&mut out, &cross(146.0, mark));
    line(&mut out, &text(160.0, y, "start", "optimum"));
    line(&mut out, &format!(r#"<circle cx="236" cy="{mark}" r="4" fill="{late}"/>"#));
    line(&mut out, &text(246.0, y, "start", "tried, limit held"));
    line(
        &mut out,
        &format!(
            r#"<circle cx="368" cy="{mark}" r="4" fill="none" stroke="{late}" stroke-width="1.5"/>"#
        ),
    );
    line(&mut out, &text(378.0, y, "start", "violated"));
    line(
        &mut out,
        &format!(
            r#"<linearGradient id="rounds"><stop stop-color="{early}"/><stop offset="1" stop-color="{late}"/></linearGradient>"#
        ),
    );
    line(
        &mut out,
        &format!(
            r##"<rect x="520" y="{}" width="120" height="10" fill="url(#rounds)"/>"##,
            mark - 5.0
        ),
    );
    line(&mut out, &text(648.0, y, "start", "first to last round"));
    out
}

/// A line from the first round to the last, and the value it ends at.
fn series(frame: &Frame, title: &str, colour: &str, values: &[f64]) -> String {
    let most = values.iter().fold(f64::MIN_POSITIVE, |most, v| most.max(*v)) * 1.05;
    let point = |(t, v): (usize, &f64)| {
        let x = frame.x((t + 1) as f64 / values.len() as f64);
        format!("{x:.1},{:.1} ", frame.y(v / most))
    };
    let points: String = values.iter().enumerate().map(point).collect();
    let last = values.last().copied().unwrap_or(0.0);
    let mut out = String::new();
    line(&mut out, &text(frame.left, frame.top - 14.0, "start", title));
    line(&mut out, &text(frame.x(1.0), frame.top - 14.0, "end", &format!("{last:.3} at the end")));
    line(&mut out, &frame.outline());
    line(
        &mut out,
        &format!(r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>"#),
    );
    let below = frame.y(0.0) + 18.0;
    line(&mut out, &text(frame.left, below, "middle", "1"));
    line(&mut out, &text(frame.x(0.5), below, "middle", "round"));
    line(&mut out, &text(frame.x(1.0), below, "middle", &values.len().to_string()));
    line(&mut out, &text(frame.left - 8.0, frame.y(0.0), "end", "0"));
    out
}
