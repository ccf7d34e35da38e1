//! How fast a study is: an ask beside what it must cost, and a run without end.

pub mod ask;
pub mod endless;
pub mod engine;
pub mod floor;
pub mod machine;
mod memory;
mod mixed;
pub mod player;
mod problem;
pub mod target;

pub use ask::Measured;
pub use endless::{Outcome, Row};
pub use floor::{Size, Work};
pub use machine::Machine;
pub use mixed::{MIXED, Mixed};
pub use player::{Player, Start};
