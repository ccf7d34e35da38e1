//! Pictures of a study, as SVG text.
//!
//! The same study gives the same bytes; nothing outside the file is referred to. Points that broke a limit are grey in
//! every picture, those that kept them blue, budgets red. [`figure::png`](crate::figure::png) makes pixels of them.
//!
//! ```
//! use rpol::{Spec, Study};
//! use rpol_plot::picture::history;
//! let mut study = Study::create(Spec::from_toml("name = 'a'\nobjective = 'minimize cost'\n\
//!     [params]\nx = { type = 'float', low = 0, high = 1 }").unwrap()).unwrap();
//! assert!(history(&study).contains("no trial"));
//! let trial = study.ask().unwrap();
//! study.tell(trial.number, [("cost", 3.0)]).unwrap();
//! assert!(history(&study).contains("minimize cost"));
//! ```

pub(crate) mod axis;
mod contour;
pub mod data;
mod delay;
mod history;
mod kind;
mod look;
pub(crate) mod panel;
mod parallel;
mod penalty;
pub(crate) mod sheet;
mod slice;
mod spread;
mod timeline;
mod violation;
pub(crate) mod words;

pub use contour::contour;
pub use delay::delay;
pub use history::history;
pub use kind::Kind;
pub use parallel::parallel;
pub use penalty::penalty;
pub use slice::slice;
pub use timeline::timeline;
pub use violation::violation;
pub use words::{shown, value};
