//! The levels of an integer parameter inside [0, 1].

use super::scale::Scale;

/// The integers of an interval as points of [0, 1], linear or logarithmic.
///
/// ```
/// use rpol::{Param, Space, space::Coordinate};
/// let space = Space::new([("n", Param::int(1, 100).log())]).unwrap();
/// let Coordinate::Lattice(lattice) = space.coordinates()[0] else { panic!() };
/// assert_eq!(lattice.levels(), 100);
/// assert!((lattice.level(9) - 0.5).abs() < 1e-15, "10 is half-way from 1 to 100");
/// assert!((0..100).all(|k| lattice.nearest(lattice.level(k)) == k));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    scale: Scale,
    low: i64,
    top: u64,
    /// The longest way from one level to the next.
    widest: f64,
}

impl Lattice {
    pub(crate) fn new(low: i64, high: i64, log: bool) -> Self {
        let (scale, top) = (Scale::new(low as f64, high as f64, log), high.abs_diff(low));
        // Along a logarithm levels come ever closer.
        let widest = scale.unit(low.saturating_add(1) as f64);
        Self { scale, low, top, widest }
    }

    /// Whether no level next to that nearest to `x` can be as far from `x` as `y` is: where it says yes, that is so.
    pub(crate) fn is_far(&self, x: f64, y: f64) -> bool {
        let distance = (x - y).abs();
        // Along a logarithm the levels about the integer v are at most 1/(v - 1) apart, in units of its span.
        let is_close_there = |least: f64| distance * self.scale.span() * (least - 2.0) > 2.0;
        distance > 2.0 * self.widest || self.scale.least_value(x).is_some_and(is_close_there)
    }

    /// Number of levels, two or more.
    #[must_use]
    pub fn levels(&self) -> u64 {
        self.top + 1
    }

    pub(crate) fn is_log(&self) -> bool {
        self.scale.is_log()
    }

    /// Where level `k` lies in [0, 1]; levels past the last give the last.
    #[must_use]
    pub fn level(&self, k: u64) -> f64 {
        self.scale.unit(self.integer(k) as f64)
    }

    /// The level nearest to `x`, the lower of two equally near.
    #[must_use]
    pub fn nearest(&self, x: f64) -> u64 {
        let below = self.index(self.scale.value(x).floor() as i64);
        let above = self.top.min(below + 1);
        if self.level(above) - x < x - self.level(below) { above } else { below }
    }

    /// The integer of level `k`.
    #[must_use]
    pub fn integer(&self, k: u64) -> i64 {
        self.low + k.min(self.top) as i64
    }

    /// The level of an integer, which must not lie below the first.
    pub(crate) fn index(&self, integer: i64) -> u64 {
        integer.abs_diff(self.low).min(self.top)
    }
}
