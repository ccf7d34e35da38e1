//! How much a search may spend: on the default it does not bind before hundreds of rounds in many coordinates, and
//! without it a space of many categories or many outputs could keep its user waiting for minutes.

use std::cell::Cell;

/// Multiplications that local searches of one decision may take, and more of them for every point that a model rests on: a
/// tenth of a second for 100 points, half a second for 1000.
const EFFORT: u64 = 200_000_000;
const EFFORT_PER_POINT: u64 = 1_500_000;
/// At most so many points are looked at, whatever little each of them takes.
const LOOKS: u64 = 32_768;

/// What is left of it. Counted, not timed: a decision does not depend on the machine.
#[derive(Debug)]
pub(super) struct Effort {
    left: Cell<u64>,
    /// Of an estimate of all outputs at one point.
    each: u64,
}

impl Effort {
    /// For models that rest on so many points each.
    pub(super) fn new(points: &[usize]) -> Self {
        let points = || points.iter().map(|n| *n as u64);
        let each = points().map(|n| n * n).sum::<u64>().max(1);
        let most = EFFORT + EFFORT_PER_POINT * points().max().unwrap_or(0);
        let each = each.max(most.div_ceil(LOOKS));
        Self { left: Cell::new(most), each }
    }

    /// How many points may still be looked at.
    pub(super) fn looks(&self) -> usize {
        (self.left.get() / self.each) as usize
    }

    /// Notes a look at so many points.
    pub(super) fn spend(&self, points: usize) {
        let spent = self.each.saturating_mul(points as u64);
        self.left.set(self.left.get().saturating_sub(spent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_bounded_whatever_the_models() {
        for (models, points) in [(1, 0), (1, 10), (2, 100), (17, 100), (17, 1000), (2, 5000)] {
            let effort = Effort::new(&vec![points; models]);
            let most = effort.looks();
            assert!(most as u64 <= LOOKS && most > 0, "{models} of {points}: {most}");
            let work = most as u64 * models as u64 * (points as u64).pow(2);
            assert!(work <= EFFORT + EFFORT_PER_POINT * points as u64, "{models} of {points}");
            effort.spend(most - 1);
            assert_eq!(effort.looks(), 1);
            effort.spend(usize::MAX);
            assert_eq!(effort.looks(), 0);
        }
    }
}
