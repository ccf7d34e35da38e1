//! One coordinate of the model: what values it may take and which of them are close.

use super::lattice::Lattice;

/// What the model sees of one free parameter.
///
/// ```
/// use rpol::space::Coordinate;
/// let colour = Coordinate::Category(3);
/// assert_eq!(colour.levels(), Some(3));
/// assert_eq!(colour.neighbours(1.0), [0.0, 2.0]);
/// assert_eq!(colour.snap(1.2), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate {
    /// Every value of [0, 1].
    Continuous,
    /// Finitely many ordered values in [0, 1].
    Lattice(Lattice),
    /// The index 0, 1, 2, ... of one of the categories; their order means nothing.
    Category(usize),
}

impl Coordinate {
    /// Number of values it may take, when finite.
    #[must_use]
    pub fn levels(&self) -> Option<u64> {
        match self {
            Coordinate::Continuous => None,
            Coordinate::Lattice(lattice) => Some(lattice.levels()),
            Coordinate::Category(count) => Some(*count as u64),
        }
    }

    /// The nearest value it may take.
    #[must_use]
    pub fn snap(&self, x: f64) -> f64 {
        match self {
            Coordinate::Continuous if x.is_nan() => 0.0,
            Coordinate::Continuous => x.clamp(0.0, 1.0) + 0.0,
            Coordinate::Lattice(lattice) => lattice.level(lattice.nearest(x)),
            Coordinate::Category(_) => self.category(x) as f64,
        }
    }

    /// The values next to `x`: the levels below and above, every other category, or none.
    #[must_use]
    pub fn neighbours(&self, x: f64) -> Vec<f64> {
        match self {
            Coordinate::Continuous => Vec::new(),
            Coordinate::Lattice(lattice) => {
                let k = lattice.nearest(x);
                let above = (k + 1 < lattice.levels()).then_some(k + 1);
                k.checked_sub(1).into_iter().chain(above).map(|k| lattice.level(k)).collect()
            }
            Coordinate::Category(count) => {
                let own = self.category(x);
                (0..*count).filter(|k| *k != own).map(|k| k as f64).collect()
            }
        }
    }

    /// Whether `y` is one of the [`neighbours`](Self::neighbours) of `x`; quicker to say.
    ///
    /// ```
    /// use rpol::space::Coordinate;
    /// assert!(Coordinate::Category(3).is_next_to(0.0, 2.0));
    /// assert!(!Coordinate::Category(3).is_next_to(2.0, 2.0));
    /// ```
    #[must_use]
    pub fn is_next_to(&self, x: f64, y: f64) -> bool {
        let is_far = matches!(self, Coordinate::Lattice(lattice) if lattice.is_far(x, y));
        !is_far && self.neighbours(x).contains(&y)
    }

    /// The value of a uniform `u` in [0, 1): all levels equally likely, but along a logarithm of many
    /// integers every *magnitude* is, or small values would hardly ever be drawn.
    #[must_use]
    pub fn draw(&self, u: f64) -> f64 {
        const MANY: u64 = 64;
        let magnitudes = matches!(self, Coordinate::Lattice(l) if l.is_log() && l.levels() > MANY);
        match self.levels().filter(|_| !magnitudes) {
            None => self.snap(u),
            Some(levels) => self.level((u * levels as f64) as u64),
        }
    }

    /// The `k`-th value; past the last, the last.
    pub(crate) fn level(&self, k: u64) -> f64 {
        match self {
            Coordinate::Continuous => unreachable!("a continuous coordinate has no levels"),
            Coordinate::Lattice(lattice) => lattice.level(k),
            Coordinate::Category(count) => k.min((*count as u64).saturating_sub(1)) as f64,
        }
    }

    fn category(&self, x: f64) -> usize {
        let last = self.levels().map_or(0, |levels| levels.saturating_sub(1) as usize);
        (x.round() as usize).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_answer_is_the_slow_one() {
        let lattices =
            [(1, 256, true), (2048, 16384, true), (0, 100, false), (3, 9, true), (-5, 5, false)];
        for (low, high, log) in lattices {
            let coordinate = Coordinate::Lattice(Lattice::new(low, high, log));
            let values = || (0..=400).map(|i| coordinate.snap(f64::from(i) / 400.0));
            for x in values().chain([0.1, 0.123, 0.777]) {
                let neighbours = coordinate.neighbours(x);
                for y in values().chain(neighbours.clone()) {
                    assert_eq!(coordinate.is_next_to(x, y), neighbours.contains(&y), "{x} {y}");
                }
            }
        }
    }
}
