//! Laws that need a whole study to be stated.

#![allow(clippy::unwrap_used)]

mod background_fit;
mod compact;
mod registers;
mod resume;
mod skip;
