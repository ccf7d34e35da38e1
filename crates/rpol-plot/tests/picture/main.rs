//! The pictures of a study.

#![allow(clippy::unwrap_used)]

mod degenerate;
mod people;
mod queue;
mod reading;
mod structure;
