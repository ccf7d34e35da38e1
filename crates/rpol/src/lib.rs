//! rpol: learn a live system's best setting while counting every violation of its limits.

pub mod constraint;
pub mod error;
pub mod finite;
pub mod gp;
pub mod kernel;
pub mod linalg;
mod name;
pub mod points;
pub mod space;

pub use constraint::Constraint;
pub use error::{Error, Result};
pub use finite::Finite;
pub use kernel::Kernel;
pub use points::{Points, PointsView};
pub use space::{Param, Params, Space, Value};
