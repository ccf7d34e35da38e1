//! What several commands need: reading, writing, and words for people.

pub(crate) mod answer;
pub(crate) mod constant;
pub(crate) mod csv;
pub(crate) mod decisions;
pub(crate) mod input;
pub(crate) mod lines;
pub(crate) mod output;
pub(crate) mod risk;
pub(crate) mod storage;
pub(crate) mod study_file;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod text;
