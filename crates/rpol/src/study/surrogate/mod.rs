//! The models: kept in step with the data, fitted in the background.

pub(in crate::study) mod background_fit;
pub(in crate::study) mod candidates;
pub(in crate::study) mod context;
pub(in crate::study) mod fit_input;
pub(in crate::study) mod forecast;
pub(in crate::study) mod models;
pub(in crate::study) mod parallel;
mod standard;
pub(in crate::study) mod tracked;
pub(in crate::study) mod transform;
