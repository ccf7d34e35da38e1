//! rpol: learn a live system's best setting while counting every violation of its limits.

pub mod constraint;
pub mod error;
pub mod finite;
mod name;
pub mod space;

pub use constraint::Constraint;
pub use error::{Error, Result};
pub use finite::Finite;
pub use space::{Param, Params, Space, Value};
