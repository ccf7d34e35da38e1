//! Problems with known optima.

pub mod problem;
