//! The problem library, confirmed by searches that share no code with it.

mod kkt;
mod optima;
mod paper;
mod rkhs;
mod search;
