//! rpol: learn a live system's best setting while counting every violation of its limits.

pub mod error;
pub mod finite;
pub mod gp;
pub mod kernel;
pub mod linalg;
mod minimize;
pub mod points;
mod simd;

pub use error::{Error, Result};
pub use finite::Finite;
pub use kernel::Kernel;
pub use points::{Points, PointsView};
