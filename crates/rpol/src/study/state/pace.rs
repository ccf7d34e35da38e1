//! How often the whole space is searched.

use crate::study::log::event::By;
use serde::{Deserialize, Serialize};

/// Most rounds between two searches.
const LONGEST: u64 = 16;

/// When a search is due: a function of the log alone, so that a replay searches in the same rounds.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(in crate::study) struct Pace {
    /// Rounds between the last search and the next.
    length: u64,
    /// How many of them are over.
    rested: u64,
}

impl Pace {
    pub(in crate::study) fn note(&mut self, by: By) {
        *self = match by {
            By::Reused => Self { rested: self.rested + 1, ..*self },
            By::Repeated => Self { length: (self.length + 1).min(LONGEST), rested: 0 },
            _ => Self { length: self.length / 2, rested: 0 },
        };
    }

    pub(in crate::study) fn may_rest(self) -> bool {
        self.rested < self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_by_one_and_halve() {
        let mut pace = Pace::default();
        let mut rests = |by: By| {
            pace.note(by);
            let mut count = 0;
            while pace.may_rest() {
                pace.note(By::Reused);
                count += 1;
            }
            count
        };
        assert_eq!(rests(By::Polished), 0);
        let grown: Vec<u64> = (0..20).map(|_| rests(By::Repeated)).collect();
        assert_eq!((grown[0], grown[1], grown[15], grown[19]), (1, 2, 16, 16));
        assert_eq!((rests(By::Polished), rests(By::Pool), rests(By::Repeated)), (8, 4, 5));
    }
}
