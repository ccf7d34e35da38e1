//! Problems with known optima, experiments on them, and the theory verified by simulation.
#![forbid(unsafe_code)]

pub mod arena;
pub mod bench;
pub mod curves;
pub mod experiment;
pub mod live;
pub mod paper;
pub mod peers;
pub mod pool;
pub mod problem;
pub mod statistics;
pub mod verify;
