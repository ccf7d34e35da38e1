//! The curves of the paper's experiments, played where every decision is exact: on a grid small enough to be compared
//! point by point. An independent script plays the same worlds; see `tests/golden/` of this crate.

mod constants;
mod grid;
mod play;

pub use constants::{Constants, Setting, Size};
pub use grid::on_grid;
pub use play::{Curve, Draws, draws, environment, play};
