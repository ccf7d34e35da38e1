//! Problems with known optima, experiments on them, and the theory verified by simulation.

pub mod experiment;
pub mod problem;
pub mod verify;
