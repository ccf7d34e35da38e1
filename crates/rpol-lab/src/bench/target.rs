//! What is promised of an ask and a tell.

use super::ask::Measured;
use super::floor::Size;

/// Milliseconds of an ask and a tell together: dimensions, constraints, observations, limit.
const TIMES: [(usize, usize, usize, f64); 5] =
    [(2, 1, 100, 1.0), (2, 1, 500, 4.0), (2, 1, 1000, 10.0), (2, 1, 2000, 30.0), (6, 2, 500, 10.0)];
/// At so many observations an ask takes at most so many times its floor.
const FLOOR: (usize, f64) = (1000, 4.0);

/// A promise beside what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Of what.
    pub of: &'static str,
    /// What was measured.
    pub measured: f64,
    /// At most this is promised.
    pub most: f64,
}

impl Target {
    /// Whether it is kept.
    pub fn met(&self) -> bool {
        self.measured <= self.most
    }
}

/// The promises for a measurement, none for most sizes.
pub fn targets(measured: &Measured) -> Vec<Target> {
    let Size { dims, outputs, .. } = measured.size;
    let key = (dims, outputs - 1, measured.observations);
    let times = TIMES.iter().filter(|(d, c, n, _)| (*d, *c, *n) == key);
    let time = |most: f64| Target { of: "ask + tell, ms", measured: measured.round_ms(), most };
    let floor = Target { of: "ask over its floor", measured: measured.ratio(), most: FLOOR.1 };
    let floor = Some(floor).filter(|_| measured.observations == FLOOR.0);
    times.map(|(.., most)| time(*most)).chain(floor).collect()
}
