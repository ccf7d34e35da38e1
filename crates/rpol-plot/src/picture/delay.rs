//! How late results came.

use super::axis::Axis;
use super::data;
use super::look::FEASIBLE;
use super::panel::{self, BELOW, Panel};
use super::sheet::{EDGE, Sheet, WIDTH};
use super::words;
use crate::figure::frame::Frame;
use crate::figure::svg::rectangle;
use rpol::Study;

const HEIGHT: f64 = 240.0;
/// Bars of one picture: longer delays are put together.
const MOST: usize = 60;

/// How many trials had which delay, in rounds.
#[must_use]
pub fn delay(study: &Study) -> String {
    let delays = data::delays(study);
    let mut sheet = Sheet::new("Delay of results");
    let waiting = match delays.pending {
        0 => "None is waited for.".to_string(),
        n => format!("{} pending.", words::count(n as usize, "trial")),
    };
    let total: u64 = delays.counts.iter().sum();
    if total == 0 {
        return sheet.empty(&format!("No trial that was asked for is complete yet. {waiting}"));
    }
    let each = delays.counts.len().div_ceil(MOST);
    let bars: Vec<u64> = delays.counts.chunks(each).map(|part| part.iter().sum()).collect();
    let most = bars.iter().copied().max().unwrap_or(1) as f64;
    let span = [-0.5, (bars.len() * each) as f64 - 0.5];
    let x = Axis::straight("delay, rounds from the ask to the last metric", span, 10, 1.0);
    let y = Axis::straight("trials", [0.0, 1.06 * most], 5, 1.0);
    let left = EDGE + panel::left_of(&y);
    let frame = Frame { left, top: sheet.top, width: WIDTH - left - 24.0, height: HEIGHT };
    let panel = Panel { frame, x: &x, y: &y };
    sheet.draw(&panel.grid());
    let slot = frame.width / bars.len() as f64;
    let gap = (0.1 * slot).max((slot - 90.0) / 2.0);
    let bar = |(i, count): (usize, &u64)| {
        let top = panel.up(*count as f64);
        let left = frame.left + i as f64 * slot + gap;
        let bar = Frame { left, top, width: slot - 2.0 * gap, height: frame.bottom() - top };
        rectangle(&bar, "")
    };
    let drawn: String = bars.iter().enumerate().filter(|(_, n)| **n > 0).map(bar).collect();
    sheet.draw(&format!("<g class=\"bars\" fill=\"{FEASIBLE}\">\n{drawn}</g>\n"));
    sheet.draw(&panel.surroundings());
    sheet.top = frame.bottom() + BELOW;
    let grouped =
        if each > 1 { format!(" A bar stands for {each} rounds.") } else { String::new() };
    sheet.finish(&format!("{} complete. {waiting}{grouped}", words::count(total as usize, "trial")))
}
