//! rpol beside other optimizers: tables and a chart of the numbers that `bench/peers` has measured and kept.

mod chart;
mod markdown;
mod results;
mod section;
mod tables;

pub use chart::chart;
pub use results::{Results, Run, Speed, read};
pub use section::renewed;
pub use tables::tables;

/// The problems of the speed tables by the name they are kept under, and what they are.
const PROBLEMS: [(&str, &str); 2] = [
    ("classical", "classical, d = 2, 1 constraint"),
    ("hartmann6", "Hartmann, d = 6, 2 constraints"),
];
