//! The pictures of a study.

#![allow(clippy::unwrap_used)]

mod degenerate;
mod queue;
mod reading;
mod structure;
