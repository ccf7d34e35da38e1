//! The live course: simulated live systems with mixed parameters, limits, and a setting that runs today.
//!
//! A [`System`] is what a user writes about it (a definition with a baseline) and what it answers when a setting is tried: noisy metrics,
//! or a failure. [`System::truth`] averages many measurements, [`search()`] finds the best known setting by such averages. [`play`] lets a
//! [`Player`] tune a system for a number of rounds; of the [`Run`] a [`Score`] is kept, in units of what uniform random play breaks the
//! limits by (the [`Yardstick`]), and a [`Standing`] averages scores over seeds.
//!
//! Constants of an optimizer may be chosen by looking at [`TUNED_ON`]; what it is worth is told by [`REPORTED_ON`].

mod chance;
mod clock;
mod player;
pub mod report;
mod run;
mod score;
mod search;
mod setting;
mod standing;
mod system;
mod systems;
mod tournament;
mod truth;
mod yardstick;

pub use chance::Chance;
pub(crate) use clock::cpu_ms;
pub use player::Player;
pub use run::{Round, Run, play};
pub use score::{LENIENCE, Score};
pub use search::search;
pub use standing::Standing;
pub use system::{Best, Outcome, System};
pub use systems::{all, list, names};
pub use tournament::Tournament;
pub use truth::{MEASUREMENTS, Truth};
pub use yardstick::Yardstick;

/// Systems that constants may be chosen on.
pub const TUNED_ON: [&str; 8] =
    ["autoscale", "llm", "reactor", "cache", "heating", "rotor", "search", "pipeline"];

/// Systems that are only reported on.
pub const REPORTED_ON: [&str; 8] =
    ["queue", "pool", "compressor", "surge", "spark", "database", "broker", "control"];
