//! The curves as a table of comma-separated values.

use crate::paper::{Estimate, Summary};
use std::fmt::Write;

/// Round by round and algorithm by algorithm: mean, lower and upper end of the 95 % interval of $R(t)/t$, $R^+(t)/t$ and $V(t)/t$.
///
/// The ends are empty where one seed gives no interval.
pub fn csv(summary: &Summary) -> String {
    let mut text = String::from("round,algorithm");
    for series in ["regret", "regret_plus", "violation"] {
        text += &format!(",{series}_mean,{series}_low,{series}_high");
    }
    text.push('\n');
    let rounds = summary.algorithms.iter().map(|a| a.curves.regret.len()).max().unwrap_or(0);
    for t in 0..rounds {
        for algorithm in &summary.algorithms {
            let curves = &algorithm.curves;
            let values = [curves.regret[t], curves.regret_plus[t], curves.violation[t]];
            let _ = write!(text, "{},{}", t + 1, algorithm.label);
            values.iter().for_each(|estimate| text += &cells(estimate));
            text.push('\n');
        }
    }
    text
}

fn cells(estimate: &Estimate) -> String {
    let mean = estimate.mean;
    match estimate.half_width {
        Some(half) => format!(",{mean},{},{}", mean - half, mean + half),
        None => format!(",{mean},,"),
    }
}
