//! rpol: learn a live system's best setting while counting every violation of its limits.

mod argmax;
pub mod check;
pub mod confidence;
pub mod constraint;
pub mod error;
pub mod finite;
pub mod gp;
pub mod kernel;
pub mod linalg;
mod minimize;
mod name;
pub mod points;
pub mod policy;
pub mod random;
mod simd;
pub mod sobol;
pub mod space;
pub mod strategy;
pub mod study;

pub use constraint::Constraint;
pub use error::{Error, Result};
pub use finite::Finite;
pub use kernel::Kernel;
pub use points::{Points, PointsView};
pub use space::{Param, Params, Space, Value};
pub use study::{Spec, Study};
