//! The long-lived problem: ask, tell, and everything that follows from the log.
//!
//! A folder imports only from those above it, and `tests/rooms.rs` keeps it so.
//!
//! | folder | what it holds |
//! |---|---|
//! | `spec/` | the definition, its parsing, and the plan: policy, strategy, width, model |
//! | `log/` | events, trials, amendments, forecasts as recorded |
//! | `data/` | what round t may use; statistics per setting; robust units; tallies |
//! | `compact/` | old trials as sums, and the merging of settings |
//! | `state/` | the fold over the log: trials, multipliers, calibration, the test for changes |
//! | `surrogate/` | the models, their candidates and fits; the context that decisions read |
//! | `acquire/` | bands, scores, guarded play, reuse of settings, the recommendation |
//! | `engine/` | models at a position of the log: sync, drift test, refit, decide, skipped searches |
//! | here | [`Study`]: ask, tell, replay, audit, snapshot |
//! | `report/` | status, ledger, predictions, landscape, profile of an ask |

mod acquire;
mod add_new;
mod audit;
mod compact;
mod data;
mod engine;
mod in_step;
#[cfg(test)]
mod laws;
mod log;
mod replay;
mod report;
mod resume;
mod revise;
mod snapshot;
mod spec;
mod state;
#[allow(clippy::module_inception)]
mod study;
mod surrogate;
mod tell;

pub use add_new::Measured;
pub use compact::merge::Merged;
pub use engine::profile::AskProfile;
pub use log::event::{By, Decision, ENGINE_VERSION, Event, Fitted, Metrics, Promise, Reported};
pub use log::forecast::Forecast;
pub use log::trial::{Lease, Trial, TrialState, Uptime};
pub use report::calibration::Calibration;
pub use report::landscape::{Landscape, Surface};
pub use report::ledger::{Account, Estimated, Recent};
pub use report::predict::{Belief, Prediction};
pub use report::recommendation::{Expectation, LimitOutlook, Outlook, Recommendation, Standing};
pub use report::status::Status;
pub(crate) use resume::Times;
pub use spec::confidence::Confidence;
pub use spec::drift::Drift;
pub use spec::failure::Failure;
pub(crate) use spec::novel::look_the_same;
pub use spec::objective::{Direction, Objective};
pub use spec::plan::ALGORITHMS;
pub use spec::revision::Revision;
pub use spec::run::{ExitMeaning, Run, Span, WhenSpent};
pub use spec::{Baseline, Model, Preset, Spec};
pub use study::{Study, Suggestion};
pub use tell::{IntoReported, Told};
