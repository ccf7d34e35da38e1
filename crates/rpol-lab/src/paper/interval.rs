//! Means over seeds, with their 95 % intervals.

use serde::Serialize;
use std::f64::consts::FRAC_2_PI;

/// A mean and how far its 95 % interval reaches to either side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Over the seeds.
    pub mean: f64,
    /// `None` with a single seed, from which no interval follows.
    pub half_width: Option<f64>,
}

/// Mean and variance of values that come one at a time (Welford 1962).
///
/// ```
/// use rpol_lab::paper::Spread;
/// let mut spread = Spread::default();
/// [2.0, 4.0, 6.0].into_iter().for_each(|value| spread.add(value));
/// let estimate = spread.estimate();
/// assert_eq!(estimate.mean, 4.0);
/// // t = 4.3027 with 2 degrees of freedom, s = 2, n = 3.
/// assert!((estimate.half_width.unwrap() - 4.968_275).abs() < 1e-5);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    count: u64,
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
}

impl Spread {
    /// Takes one more value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The mean so far, plus or minus $t_{0.975, n-1} s / \sqrt n$.
    pub fn estimate(&self) -> Estimate {
        let half_width = (self.count > 1).then(|| {
            let (n, freedom) = (self.count as f64, self.count - 1);
            student_t(freedom) * (self.squares / freedom as f64 / n).sqrt()
        });
        Estimate { mean: self.mean, half_width }
    }
}

/// The 97.5 % quantile of Student's distribution: 95 % of it lies within plus or minus this.
///
/// ```
/// use rpol_lab::paper::student_t;
/// assert!((student_t(1) - 12.706_205).abs() < 1e-6);
/// assert!((student_t(19) - 2.093_024).abs() < 1e-6);
/// ```
pub fn student_t(freedom: u64) -> f64 {
    let (mut low, mut high) = (1.0, 13.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if within(middle, freedom) < 0.95 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// $P(|X| \le t)$, a finite sum for whole degrees of freedom (Abramowitz & Stegun 26.7.3 and 26.7.4).
fn within(t: f64, freedom: u64) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let (mut sum, mut k) = (0.0, if odd { 3 } else { 2 });
    while k <= freedom {
        sum += term;
        term *= (k - 1) as f64 / k as f64 * cosine * cosine;
        k += 2;
    }
    if odd { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}
