//! Algorithms against problems: who loses how much, and breaks the limits how often.
//!
//! A [`Course`] is an environment with a name, a [`Contestant`] a name for a study on it, and a [`Tournament`] plays everybody on every
//! course under every seed. Of each run a [`Score`] is kept, and a [`Standing`] averages them:
//!
//! $$R^+(T)/T, \qquad V(T)/T = \sum_i V_i(T)/T,$$
//!
//! both also divided by what uniform random play loses (the [`Yardstick`]), so that courses of different units can be drawn together.
//! [`report`] writes tables and figures.

mod bout;
mod cell;
mod change;
mod contestant;
mod course;
mod error;
mod frontier;
mod overall;
pub mod report;
mod score;
mod standing;
mod start;
mod tournament;
mod yardstick;

pub use bout::Bout;
pub use cell::cells;
pub use contestant::{Contestant, PRACTICAL, list as contestants, names as contestant_names};
pub use course::{Conditions, Course, PAPER, VARIANTS, list as courses, names as course_names};
pub use error::BadName;
pub use frontier::frontier;
pub use overall::{Overall, overall};
pub use score::Score;
pub use standing::{Standing, standings};
pub use start::safe_start;
pub use tournament::Tournament;
pub use yardstick::Yardstick;
