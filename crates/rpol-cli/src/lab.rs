//! The laboratory: experiments, benchmarks and the theory by simulation.

pub(crate) mod arena;
mod batch;
pub(crate) mod bench;
pub(crate) mod demo;
pub(crate) mod paper;
pub(crate) mod verify;
