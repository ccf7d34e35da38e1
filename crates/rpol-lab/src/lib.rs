//! Problems with known optima, and experiments on them.

pub mod curves;
pub mod experiment;
pub mod figure;
pub mod problem;
