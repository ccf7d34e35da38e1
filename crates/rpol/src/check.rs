//! Conformance suites: the laws an implementation must keep, shipped with the traits. Each panics
//! with the law that is broken.

mod kernel;
mod play;
mod policy;
mod strategy;

pub use self::kernel::kernel;
pub use self::policy::policy;
pub use self::strategy::strategy;
