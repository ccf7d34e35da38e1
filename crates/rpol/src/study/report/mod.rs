//! What a study says of itself.

pub(in crate::study) mod calibration;
pub(in crate::study) mod landscape;
pub(in crate::study) mod ledger;
pub(in crate::study) mod penalty_trace;
pub(in crate::study) mod predict;
pub(in crate::study) mod profile;
pub(in crate::study) mod recommendation;
mod recommendation_words;
pub(in crate::study) mod status;
