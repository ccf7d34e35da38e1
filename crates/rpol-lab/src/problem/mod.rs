//! Problems with known optima, in rpol's convention:
//!
//! $$\max_{x \in \mathcal X} f(x) \quad\text{subject to}\quad g_i(x) \le 0 .$$
//!
//! * [`Problem`] describes one: domain, objective, constraints, optimum, source. A published minimisation is entered
//!   with $f$ the negated published objective, and its documentation says so.
//! * [`known`] holds the problems of the literature, one file each; [`all`] and [`by_name`] find them.
//! * [`Environment`] is what a learner meets: problems by round, noise, delay. The paper's three are its constructors.
//! * [`rkhs`] builds functions whose RKHS norm is known exactly, where the theorems' assumptions hold.
//!
//! To add a problem: one file in `known/`, and its line in `known/mod.rs`.

pub mod description;
pub mod environment;
pub mod known;
pub mod rkhs;

pub use description::{Constraint, Function, Optimum, Parameter, Problem};
pub use environment::{Delay, Environment, NoiseReading, Phase};
pub use known::{all, by_name};
pub use rkhs::{KernelKind, RkhsError, RkhsFunction};
