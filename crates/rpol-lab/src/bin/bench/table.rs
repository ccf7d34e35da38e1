//! What was measured, line by line.

use rpol_lab::statistics::median;
use std::time::Instant;

/// A line: what was measured, its limit, and how the two may relate.
pub(crate) struct Line {
    pub(crate) what: &'static str,
    pub(crate) n: usize,
    pub(crate) dims: usize,
    /// Milliseconds.
    pub(crate) time: f64,
    pub(crate) limit: &'static str,
    /// Milliseconds.
    pub(crate) limit_time: f64,
    pub(crate) target: Target,
}

/// What is promised of time over limit.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// At most this ratio.
    AtMost(f64),
    /// Reported, nothing promised.
    None,
}

pub(crate) struct Table {
    lines: usize,
    missed: usize,
}

impl Table {
    pub(crate) fn new() -> Self {
        println!(
            "{:<28} {:>5} {:>2} {:>10}   {:<40} {:>10} {:>7}  target",
            "what", "n", "d", "ms", "limit", "ms", "ratio"
        );
        Self { lines: 0, missed: 0 }
    }

    pub(crate) fn add(&mut self, line: &Line) {
        let ratio = line.time / line.limit_time;
        let verdict = match line.target {
            Target::None => String::new(),
            Target::AtMost(most) => {
                self.lines += 1;
                self.missed += usize::from(ratio > most);
                format!("<= {most:<6} {}", if ratio <= most { "met" } else { "MISSED" })
            }
        };
        println!(
            "{:<28} {:>5} {:>2} {:>10.4}   {:<40} {:>10.4} {:>7.3}  {verdict}",
            line.what, line.n, line.dims, line.time, line.limit, line.limit_time, ratio
        );
    }

    /// Says how many promises held; `true` when all did.
    pub(crate) fn conclude(&self) -> bool {
        println!("\n{} of {} promises met", self.lines - self.missed, self.lines);
        self.missed == 0
    }
}

/// Median milliseconds of `repeats` calls.
pub(crate) fn median_ms(repeats: usize, mut work: impl FnMut()) -> f64 {
    median((0..repeats).map(|_| time_ms(&mut work)).collect())
}

/// Milliseconds of one call.
pub(crate) fn time_ms(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    1e3 * start.elapsed().as_secs_f64()
}
