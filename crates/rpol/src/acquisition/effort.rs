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
        let each = each.max(most / LOOKS);
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
