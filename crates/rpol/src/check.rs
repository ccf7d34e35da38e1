//! Conformance suites: the laws an implementation must keep, shipped with the traits. Each panics
//! with the law that is broken.

mod kernel;

pub use self::kernel::kernel;
