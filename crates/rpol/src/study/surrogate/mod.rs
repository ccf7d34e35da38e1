//! What the models are of.

mod transform;
