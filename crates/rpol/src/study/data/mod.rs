//! What a round may use of the trials.

pub(in crate::study) mod scale_bins;
pub(in crate::study) mod stats;
pub(in crate::study) mod table;
pub(in crate::study) mod tally;
pub(in crate::study) mod visible;
