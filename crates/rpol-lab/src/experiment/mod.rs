//! A study against an environment, round by round, every number of it reproducible from the seed.

mod metrics;
mod simulation;
mod spec;
mod world;

pub use metrics::{Round, Totals};
pub use simulation::Simulation;
pub(crate) use simulation::setting;
pub(crate) use spec::spec_over;
pub use spec::{metric_names, spec};
pub use world::{Disturbance, World};
