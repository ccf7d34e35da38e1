//! Problems with known optima, and experiments on them.

pub mod experiment;
pub mod figure;
pub mod paper;
pub mod problem;
