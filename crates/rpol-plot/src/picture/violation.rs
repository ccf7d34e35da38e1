//! Cumulative violation of each constraint against its budget.

use super::axis::Axis;
use super::data::{self, Spending};
use super::look::{self, BUDGET, FEASIBLE};
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Sheet, WIDTH, line_key};
use super::words;
use crate::figure::frame::Frame;
use crate::figure::range::widened;
use crate::figure::svg::{Anchor, Text, stroke};
use rpol::Study;

const HEIGHT: f64 = 150.0;
const HEADING: f64 = 26.0;
/// Panels of one picture.
const MOST: usize = 8;

/// How the violation of every constraint grew, trial by trial, one panel each, with its budget as a dashed line.
#[must_use]
pub fn violation(study: &Study) -> String {
    let accounts = data::spending(study);
    let mut sheet = Sheet::new("Cumulative violation against the budget");
    if accounts.is_empty() {
        return sheet.empty("The study has no constraints: nothing can be violated.");
    }
    if accounts.iter().all(|account| account.steps.is_empty()) {
        return sheet.empty("No constraint has been measured yet.");
    }
    let x = Axis::counted("trial", study.trials().len(), 8);
    let shown = &accounts[..accounts.len().min(MOST)];
    let axes: Vec<Axis> = shown.iter().map(upward).collect();
    let left = EDGE + axes.iter().map(panel::left_of).fold(0.0, f64::max);
    for (account, y) in shown.iter().zip(&axes) {
        let top = sheet.top + HEADING - 8.0;
        let frame = Frame { left, top, width: WIDTH - left - 24.0, height: HEIGHT };
        let panel = Panel { frame, x: &x, y };
        sheet.draw(&panel.grid());
        sheet.draw(&drawn(&panel, account, study.trials().len()));
        sheet.draw(&look::failures(&panel, &account.failed));
        sheet.draw(&panel.surroundings());
        sheet.draw(&panel.heading(&words::name(&account.constraint), &spent(account)));
        sheet.top = frame.bottom() + BELOW + 4.0;
    }
    if shown.iter().any(|account| !account.failed.is_empty()) {
        sheet.key(&[(line_key(look::failed_pen()), "failed before it was measured")]);
    }
    sheet.finish(&caption(&accounts))
}

fn upward(account: &Spending) -> Axis {
    let most = account.spent().max(account.budget.unwrap_or(0.0));
    let range = if most > 0.0 { [0.0, widened([0.0, most])[1]] } else { [0.0, 1.0] };
    Axis::straight(&words::name(&account.metric), range, 4, 0.0)
}

fn drawn(panel: &Panel, account: &Spending, trials: usize) -> String {
    let mut places = vec![panel.at([0.0, 0.0])];
    for (number, total) in &account.steps {
        let at = panel.at([*number as f64, *total]);
        let before = places[places.len() - 1];
        places.extend([[at[0], before[1]], at]);
    }
    let last = places[places.len() - 1];
    places.push([panel.across(trials as f64 - 1.0), last[1]]);
    let pen = format!("stroke=\"{FEASIBLE}\" stroke-width=\"2\"");
    let mut out = format!("<g class=\"spent\">{}</g>\n", look::line(&places, &pen));
    if let Some(budget) = account.budget {
        let y = panel.up(budget);
        let pen = format!("stroke=\"{BUDGET}\" stroke-width=\"1.5\" stroke-dasharray=\"7 4\"");
        let line = stroke([panel.frame.left, y], [panel.frame.right(), y], &pen);
        let low = y + 16.0 > panel.frame.bottom();
        let at = [panel.frame.left + 6.0, if low { y - 5.0 } else { y + 15.0 }];
        let label = Text::new(at, Anchor::Start, panel::SIZE, "budget").level();
        out += &format!("<g class=\"budget\" fill=\"{BUDGET}\">{line}{label}</g>\n");
    }
    out
}

fn spent(account: &Spending) -> String {
    let spent = words::shown(account.spent());
    match account.budget {
        Some(budget) => format!("spent {spent} of {}", words::shown(budget)),
        None => format!("spent {spent}, no budget"),
    }
}

fn caption(accounts: &[Spending]) -> String {
    let mut words =
        "Sum of every excess over the limit, in the unit of its metric, over the trials \
                     that were asked for. A failed one counts as the study states, else as the worst excess measured."
            .to_string();
    if accounts.len() > MOST {
        words +=
            &format!(" {} more are not drawn.", words::count(accounts.len() - MOST, "constraint"));
    }
    words
}
