//! What the pictures show, without how: for other ways to draw it.

mod belief;
mod delay;
mod history;
mod spending;
mod timeline;

pub use belief::{Field, Slice, centre, field, numeric, slice, slices, two_that_matter};
pub use delay::{Delays, delays};
pub use history::{History, Point, baseline, history, points};
pub use spending::{Spending, spending};
pub use timeline::{Bar, Outcome, timeline};
