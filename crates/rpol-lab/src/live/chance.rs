//! Random numbers of the simulated systems: fast, as one measurement may draw thousands.

use rpol::random::normal_quantile;

/// A stream of random numbers (`SplitMix64`; Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014).
///
/// ```
/// use rpol_lab::live::Chance;
/// let (mut a, mut b) = (Chance::new(3, 1), Chance::new(3, 1));
/// assert_eq!(a.uniform(), b.uniform());
/// assert_ne!(Chance::new(3, 2).uniform(), Chance::new(3, 1).uniform());
/// ```
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Chance {
    /// The stream of one measurement under a seed.
    #[must_use]
    pub fn new(seed: u64, measurement: u64) -> Self {
        Self { state: mix(mix(seed.wrapping_add(GOLDEN)) ^ measurement.wrapping_mul(GOLDEN)) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2f64.powi(-53)
    }

    /// Exponential with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.uniform()).ln()
    }

    /// Standard normal.
    pub fn normal(&mut self) -> f64 {
        let midpoint = (self.next() >> 12) as f64 + 0.5;
        normal_quantile(midpoint * 2f64.powi(-52))
    }

    /// A factor about 1 whose logarithm is normal with this deviation.
    pub fn factor(&mut self, deviation: f64) -> f64 {
        (deviation * self.normal()).exp()
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// How many of `count` things of this probability happen, by the normal approximation where there are many.
    pub fn share(&mut self, count: u32, probability: f64) -> f64 {
        let (n, p) = (f64::from(count), probability.clamp(0.0, 1.0));
        let z = self.normal();
        if n * p * (1.0 - p) > 9.0 {
            return (p + z * (p * (1.0 - p) / n).sqrt()).clamp(0.0, 1.0);
        }
        // Rare on one side: a Poisson number of the rare kind.
        let (rare, turned) = if p <= 0.5 { (p, false) } else { (1.0 - p, true) };
        let share = (self.few(n * rare) / n).min(1.0);
        if turned { 1.0 - share } else { share }
    }

    /// A Poisson number of a small mean: the arrivals of a unit-rate process before it.
    fn few(&mut self, mean: f64) -> f64 {
        let (mut time, mut count) = (self.exponential(1.0), 0.0);
        while time < mean {
            time += self.exponential(1.0);
            count += 1.0;
        }
        count
    }
}

/// The finaliser of `SplitMix64`.
fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
