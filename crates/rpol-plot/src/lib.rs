//! What is drawn: charts, pictures of a study, and the pages they stand on.
#![forbid(unsafe_code)]

pub mod drawing;
pub mod figure;
mod file;
pub mod page;
pub mod picture;

pub use file::{Refused, Replace, check_place, write_whole};
