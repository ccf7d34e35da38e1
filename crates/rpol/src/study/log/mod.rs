//! What happened, as it is recorded.

pub(in crate::study) mod amendments;
pub(in crate::study) mod event;
pub(in crate::study) mod forecast;
pub(in crate::study) mod trial;
