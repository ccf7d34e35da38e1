//! The pieces that pictures are made of, for those who draw others in the same look.

pub use crate::figure::frame::Frame;
pub use crate::figure::marker::Shape;
pub use crate::figure::style::{Style, styles};
pub use crate::figure::svg::{pair, stroke};
pub use crate::picture::axis::Axis;
pub use crate::picture::panel::{BELOW, Panel, left_of};
pub use crate::picture::sheet::{EDGE, Key, Sheet, WIDTH, line_key};
pub use crate::picture::words::digits;
