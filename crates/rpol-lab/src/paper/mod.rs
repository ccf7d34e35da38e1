//! The paper's three experiments, with the algorithms it compares and some of ours.
//!
//! [`Request`] says what is wanted, [`Settings`] turns it into one study a run, [`play_all`] makes the runs that the [`Archive`] does
//! not have, [`summarize`] averages over seeds, and [`report`] writes tables and figures:
//!
//! $$R(t)/t, \qquad R^+(t)/t, \qquad V(t)/t, \qquad Q_t,$$
//!
//! each a mean over the seeds with its 95 % interval. Every number of the settings, and why it is that, is in [`SETTINGS`].

mod archive;
mod formula;
mod interval;
mod job;
pub mod report;
mod request;
mod run;
mod settings;
mod summary;

pub use archive::{Archive, VERSION};
pub use interval::{Estimate, Spread, student_t};
pub use job::{Job, play_all};
pub use request::{Experiment, Noise, Request};
pub use run::Run;
pub use settings::{Defaults, Origin, SETTINGS, Settings};
pub use summary::{Curves, Standing, Summary, Tally, Totals, summarize};
