//! The long-lived problem: ask, tell, and everything that follows from the log.

mod acquire;
mod algorithm;
mod amendments;
mod audit;
mod beside;
mod calibration;
mod candidates;
mod caution;
mod decide;
mod difference;
mod drift;
mod event;
mod evidence;
mod fitting;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod fitting_laws;
mod fold;
mod foothold;
mod forecast;
mod forget;
mod gathered;
mod gathering;
mod hand;
mod kept;
mod landscape;
mod learn;
mod ledger;
mod mind;
mod model;
mod objective;
mod places;
mod predict;
mod read;
mod recheck;
mod record;
mod rest;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod rest_laws;
mod reveal;
mod run;
mod safe;
mod settings;
mod settled;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod settled_laws;
mod spec;
mod spent;
mod state;
mod status;
#[allow(clippy::module_inception)]
mod study;
mod surrogate;
mod telling;
mod thin;
mod thrift;
mod trace;
mod track;
mod trial;
mod trials;
mod view;
mod vigil;
mod watch;
mod watched;

pub use algorithm::ALGORITHMS;
pub use calibration::Calibration;
pub use drift::Drift;
pub use event::{By, Decision, Event, Fitted, Metrics, Promise, Reported};
pub use forecast::Forecast;
pub use landscape::{Landscape, Surface};
pub use ledger::{Account, Estimated, Recent};
pub use objective::{Direction, Objective};
pub use predict::{Belief, Prediction};
pub use run::{Run, Span, WhenSpent};
pub use spec::{Baseline, Confidence, Model, Preset, Spec};
pub use spent::Spent;
pub use status::Status;
pub use study::{Study, Suggestion};
pub use telling::{IntoReported, Told};
pub use thin::Merged;
pub use trial::{Lease, Trial, TrialState};
