//! Conformance suites: the laws an implementation must keep, shipped with the traits. Each panics
//! with the law that is broken.

mod kernel;
mod play;
mod policy;
mod store;
mod strategy;

pub use self::kernel::kernel;
pub use self::policy::policy;
pub use self::store::{shared_store, store};
pub use self::strategy::strategy;
