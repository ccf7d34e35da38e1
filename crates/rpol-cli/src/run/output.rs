//! What is said of a run: while it goes on, and at its end.

pub(crate) mod advice;
pub(crate) mod counts;
pub(crate) mod findings;
pub(crate) mod live;
pub(crate) mod screen;
pub(crate) mod stop_reason;
pub(crate) mod summary;
