//! Numbers for distinct settings.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Settings by the bits of their coordinates.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct Settings {
    numbers: BTreeMap<Vec<u64>, u64>,
    /// How many numbers were given.
    given: u64,
    /// So many are kept before those out of use are looked for.
    limit: usize,
}

impl Settings {
    /// The number of a setting, a new one if it has none.
    pub(in crate::study) fn number(&mut self, x: &[f64]) -> u64 {
        // Zero has two signs and is one number.
        let bits = x.iter().map(|x| (x + 0.0).to_bits()).collect();
        *self.numbers.entry(bits).or_insert_with(|| {
            self.given += 1;
            self.given - 1
        })
    }

    /// Drops those that are not `known`, once there may be many: the cost of all such looks stays a constant number of
    /// times that of the settings themselves.
    pub(in crate::study) fn retain(&mut self, known: impl Iterator<Item = u64>) {
        if self.numbers.len() > self.limit {
            let known: HashSet<u64> = known.collect();
            self.numbers.retain(|_, number| known.contains(number));
            self.limit = 2 * self.numbers.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_settings_have_one_number_until_they_are_forgotten() {
        let mut settings = Settings::default();
        let numbers = [[0.0, 0.5], [1.0, 0.5], [-0.0, 0.5]].map(|x| settings.number(&x));
        assert_eq!(numbers, [0, 1, 0]);
        settings.retain([1].into_iter());
        assert_eq!((settings.number(&[1.0, 0.5]), settings.number(&[0.0, 0.5])), (1, 2));
    }
}
