//! Which setting is played next.

mod bands;
mod budget;
pub(in crate::study) mod decide;
mod guard;
mod looked;
mod moves;
pub(in crate::study) mod recent;
mod recheck;
mod recommend;
mod reuse;
mod risk;
mod safe;
mod search;
pub(in crate::study) mod timed;
