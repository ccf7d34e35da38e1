//! Labels of the random streams under a study's seed: what draws by one is independent of the others.

pub(in crate::study) const POOL: u64 = 1;
pub(in crate::study) const DESIGN: u64 = 2;
pub(in crate::study) const FIT: u64 = 3;
pub(in crate::study) const GUARD: u64 = 4;
