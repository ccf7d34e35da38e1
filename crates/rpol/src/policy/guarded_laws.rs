//! What the feedback of a promised risk allows, on any path.

use super::guarded::Guarded;
use super::{Closing, Rule};
use proptest::prelude::*;

/// The allowance of a run in which every trial goes over that wants to, where `may` says so of the allowance.
struct Path {
    policy: Guarded,
    state: Vec<f64>,
    over: u64,
    /// $\sum_t r_t$.
    total: f64,
    round: u64,
}

impl Path {
    fn new(risk: f64) -> Self {
        let policy = Guarded { risk };
        let state = policy.start(0);
        Self { policy, state, over: 0, total: 0.0, round: 0 }
    }

    fn left(&self) -> f64 {
        self.state[0]
    }

    fn play(&mut self, over: bool) {
        self.round += 1;
        self.over += u64::from(over);
        self.total += self.policy.rate(self.round);
        let closing = Closing {
            t: self.round,
            round: self.round,
            horizon: None,
            revealed: &[],
            lower: &[],
            over: f64::from(over),
        };
        self.policy.close(&mut self.state, &closing);
    }

    /// $1.8 + \sum_t r_t$.
    fn allowed(&self) -> f64 {
        1.8 + self.total
    }
}

/// Up to rounding.
const ROUNDING: f64 = 1e-9;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_sequence_of_answers_exceeds_the_bound(
        risk in 0.0..=1.0f64,
        often in 0.0..=1.0f64,
        answers in prop::collection::vec(0.0..1.0f64, 1..500),
    ) {
        let mut path = Path::new(risk);
        for answer in answers {
            // Where only the baseline may be played nothing goes over.
            path.play(answer <= often && !Guarded::is_spent(path.left()));
            prop_assert!(path.over as f64 <= path.allowed() + ROUNDING, "{} trials", path.over);
            prop_assert!(path.allowed() <= path.policy.bound(path.round) + ROUNDING);
            prop_assert!(path.left() > -1.6 - ROUNDING);
        }
    }

    #[test]
    fn nothing_new_is_played_where_only_the_baseline_may_be(
        risk in 0.0..=1.0f64, t in 1..10_000u64, left in -3.0..3.0f64,
    ) {
        let allowed = Guarded { risk }.allowed(t, left);
        prop_assert!(!(Guarded::is_spent(left) && allowed.is_some()));
        prop_assert!(allowed.is_none_or(|a| a > 0.0 && a <= risk.max(0.01)));
    }
}

/// The law can fail: without the baseline as a last resort nothing holds an adversary back.
#[test]
fn without_a_last_resort_the_bound_is_exceeded() {
    let mut path = Path::new(0.1);
    (0..20).for_each(|_| path.play(true));
    assert!(path.over as f64 > path.policy.bound(path.round));
}

/// It is reached up to one trial: a smaller constant would be wrong.
#[test]
fn the_bound_is_nearly_reached() {
    let mut path = Path::new(0.2);
    let mut nearest = f64::INFINITY;
    for _ in 0..300 {
        path.play(!Guarded::is_spent(path.left()));
        nearest = nearest.min(path.allowed() - path.over as f64);
    }
    assert!(nearest < 0.3, "{nearest}");
}
