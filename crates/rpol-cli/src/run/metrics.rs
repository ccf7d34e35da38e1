//! What the command measured, read from what it printed.

pub(crate) mod json_object;
pub(crate) mod last_object;
pub(crate) mod reader;
