//! Which setting is played next under a promise.

mod budget;
mod guard;
mod looked;
mod moves;
mod recommend;
mod risk;
mod search;

pub(in crate::study) use guard::{Guarded, Ruling};
