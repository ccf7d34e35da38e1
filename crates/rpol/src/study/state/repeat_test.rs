//! What repeats say of a change.

use serde::{Deserialize, Serialize};

/// The evidence of a change of one output in one direction, while there is a doubt.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(in crate::study) struct Test {
    /// By repeats.
    main: Tally,
    /// By repeats of the baseline, where the doubt arose elsewhere. A change may spare it, so what is calm here takes nothing from
    /// what was seen there; and it may be seen here first, where nothing else may be played.
    home: Tally,
    /// Whether a repeat was wild in the other direction: then repeats differ by noise.
    barred: bool,
}

/// A sum of evidence.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Tally {
    sum: f64,
    /// How much better the prior, which knows nothing of the past, would have told the same values.
    fresh: f64,
    /// The first round it is about; `None` where it is over.
    since: Option<u64>,
}

/// A repeat as a test takes it.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Repeat {
    /// Whether it is of the baseline and the doubt arose elsewhere.
    pub(in crate::study) apart: bool,
    pub(in crate::study) evidence: f64,
    /// How much better the prior would have told it.
    pub(in crate::study) fresh: f64,
    /// Whether it alone is reason to doubt.
    pub(in crate::study) wild: bool,
    /// The round of its decision.
    pub(in crate::study) asked: u64,
}

impl Tally {
    fn add(&mut self, repeat: Repeat) {
        let since = self.since.or(Some(repeat.asked));
        *self = Self { sum: self.sum + repeat.evidence, fresh: self.fresh + repeat.fresh, since };
        if self.sum <= 0.0 {
            *self = Self::default();
        }
    }
}

impl Test {
    /// Begins with a doubt about the rounds from `since` on. What raised it counts for `sum`.
    pub(in crate::study) fn begin(&mut self, since: u64, sum: f64) {
        let main = Tally { sum, fresh: 0.0, since: Some(since) };
        *self = Self { main, ..Self::default() };
    }

    /// Takes a repeat into account; the first round of the change, where that makes it certain. A sum that has fallen to 0 is
    /// over until a wild value comes: the system may change while there is a doubt. That of the baseline always begins again.
    pub(in crate::study) fn add(&mut self, repeat: Repeat, needed: f64) -> Option<u64> {
        let begins = repeat.wild && !self.barred;
        let tally = if repeat.apart { &mut self.home } else { &mut self.main };
        if repeat.apart || begins || tally.since.is_some() {
            tally.add(repeat);
        }
        tally.since.filter(|_| tally.sum >= needed && tally.fresh > 0.0)
    }

    /// Notes that a repeat was wild in the other direction.
    pub(in crate::study) fn bar(&mut self) {
        self.barred = true;
    }

    /// Whether repeats may still show a change.
    pub(in crate::study) fn is_open(&self) -> bool {
        self.main.since.is_some()
    }

    /// Whether no repeat of the baseline speaks for a change.
    pub(in crate::study) fn is_calm_at_home(&self) -> bool {
        self.home.since.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeat(apart: bool, evidence: f64, asked: u64) -> Repeat {
        Repeat { apart, evidence, fresh: evidence, wild: evidence > 2.0, asked }
    }

    #[test]
    fn calm_repeats_of_the_baseline_take_nothing_from_what_was_seen_elsewhere() {
        let mut test = Test::default();
        test.begin(7, 3.0);
        (8..30).for_each(|t| assert_eq!(test.add(repeat(true, -2.0, t), 8.0), None));
        assert_eq!(test.add(repeat(false, 3.0, 30), 8.0), None);
        assert!(test.is_open() && test.is_calm_at_home());
        assert_eq!(test.add(repeat(false, 3.0, 31), 8.0), Some(7), "dated to the doubt");
    }

    #[test]
    fn the_baseline_alone_may_show_a_change_that_comes_in_a_doubt() {
        let mut test = Test::default();
        test.begin(7, 3.0);
        assert_eq!(test.add(repeat(true, -2.0, 8), 8.0), None);
        let told = (9..12).map(|t| test.add(repeat(true, 3.0, t), 8.0));
        assert_eq!(told.collect::<Vec<_>>(), [None, None, Some(9)]);
    }

    #[test]
    fn a_sum_that_has_fallen_is_over_until_a_wild_value_comes() {
        let mut test = Test::default();
        test.begin(7, 3.0);
        test.add(repeat(false, -4.0, 8), 8.0);
        assert!(!test.is_open());
        test.add(repeat(false, 1.0, 9), 8.0);
        assert!(!test.is_open());
        let mut noisy = test;
        noisy.bar();
        let told = [10, 11, 12].map(|t| test.add(repeat(false, 3.0, t), 8.0));
        assert_eq!(told, [None, None, Some(10)]);
        let told = [10, 11, 12].map(|t| noisy.add(repeat(false, 3.0, t), 8.0));
        assert_eq!(told, [None; 3], "after one in the other direction they are noise");
    }
}
