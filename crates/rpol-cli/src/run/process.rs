//! The command of a trial as a child process: its arguments, its start, its streams and its end.

pub(crate) mod child;
pub(crate) mod command;
pub(crate) mod environment;
pub(crate) mod group;
pub(crate) mod interrupt;
pub(crate) mod program;
pub(crate) mod stream;
pub(crate) mod template;
