//! Which setting is played next.
//!
//! `decide` makes the decision. The steps of one under a promise, in order:
//!
//! 1. `risk`: the probability that a setting goes over a limit or fails, from the posterior of
//!    every limit;
//! 2. the allowance and the budgets (`budget`) say how probable that may be in this round;
//! 3. without a baseline and before any setting is known that keeps the limits, `search` looks for
//!    one by RPOL's rule;
//! 4. a value of a category that was never played is tried once from the baseline;
//! 5. RPOL's rule plays where the allowance permits it: without a baseline while the allowance is
//!    above 0, from a baseline with 3 % of the risk;
//! 6. else `guard` plays the best setting that is sure enough, by `moves` from settings that keep
//!    the limits;
//! 7. where none is sure enough, a known setting, the baseline, or the surest setting.
//!
//! Before the first of them `history` says what of a first design is known already.
//! Before the horizon ends a setting that may be recommended is measured again (`recommend`), in
//! place of steps 4 to 7. How sure it is that a measured setting keeps its limits: `outlook`,
//! `breakdown`.

mod bands;
pub(in crate::study) mod breakdown;
mod budget;
pub(in crate::study) mod decide;
mod guard;
mod history;
mod looked;
mod moves;
pub(in crate::study) mod outlook;
pub(in crate::study) mod recent;
mod recheck;
pub(in crate::study) mod recommend;
mod reuse;
mod risk;
mod safe;
mod search;
pub(in crate::study) mod timed;
