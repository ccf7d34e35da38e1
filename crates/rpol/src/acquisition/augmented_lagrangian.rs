//! A score with hinges on an expansion, its kinks rounded off, and the climb to its top.
//!
//! The method of multipliers for $\max \hat f(x) - \sum_i w_i h_i(x)^+$: each hinge is replaced by
//!
//! $$\psi(h) = \max_{0 \le \lambda \le w}\ \lambda h - \frac{(\lambda - \mu)^2}{2\rho},$$
//!
//! which is smooth, and whose $\mu$ moves to the best $\lambda$ after every climb: at the end the rounded score and the true
//! one have the same top. A hard constraint is one with $w = \infty$.

use super::expansion::Taylor;
use crate::minimize::{Local, Twice, newton};
use crate::policy::score::{Curve, Estimate, Score};

/// Climbs before the multipliers are taken as they are, and steps of each.
const CLIMBS: usize = 8;
const STEPS: usize = 12;
/// How much steeper than the score a rounded hinge becomes across the box.
const STIFF: f64 = 20.0;
/// And how much stiffer from climb to climb: each brings the multipliers nearer by about as much.
const STIFFER: f64 = 8.0;
/// A hard constraint is kept by this much, so that rounding does not break it.
const INSIDE: f64 = 5e-10;

/// A rounded hinge.
#[derive(Debug, Clone, Copy)]
struct Kink {
    output: usize,
    weight: f64,
    /// $\mu$.
    multiplier: f64,
    /// $\rho$.
    stiffness: f64,
}

/// A score on an expansion, as a function to climb.
pub(super) struct Hill<'a> {
    taylor: &'a Taylor,
    score: &'a Score,
    kinks: Vec<Kink>,
    /// Buffers: a step, and the slopes of mean and variance.
    step: Vec<f64>,
    mean: Vec<f64>,
    variance: Vec<f64>,
}

/// The top of the expansion within the box, as a climb from its centre finds it: to `tolerance` of the score's size.
pub(super) fn top(
    taylor: &Taylor,
    score: &Score,
    low: &[f64],
    high: &[f64],
    tolerance: f64,
) -> Vec<f64> {
    let mut hill = Hill::new(taylor, score);
    hill.begin(low, high);
    let mut x = taylor.at.clone();
    let close = tolerance * (1.0 + taylor.rank.value.abs());
    for _ in 0..CLIMBS {
        // A hinge that is so far off its kink promises only the square of that.
        newton::climb(&mut hill, &mut x, low, high, STEPS, 1e-6 * close);
        if hill.settle(&x, close) {
            break;
        }
    }
    x
}

impl<'a> Hill<'a> {
    fn new(taylor: &'a Taylor, score: &'a Score) -> Self {
        let weights = score.hinges().unwrap_or(&[]).iter().enumerate();
        let kink = |(i, weight): (usize, &f64)| Kink {
            output: i + 1,
            weight: *weight,
            multiplier: 0.0,
            stiffness: 1.0,
        };
        let kinks = weights.filter(|(_, weight)| **weight > 0.0).map(kink).collect();
        let buffer = vec![0.0; taylor.at.len()];
        Self { taylor, score, kinks, step: buffer.clone(), mean: buffer.clone(), variance: buffer }
    }

    /// First guesses: the multiplier that balances the slopes, where the kink is within the box.
    fn begin(&mut self, low: &[f64], high: &[f64]) {
        let dims = low.len();
        let mut smooth = Local::new(dims);
        let kinks = std::mem::take(&mut self.kinks);
        self.look(&self.taylor.at, &mut smooth);
        self.kinks = kinks;
        let size = (0..dims).map(|d| high[d] - low[d]).fold(f64::MIN_POSITIVE, f64::max);
        let rise = norm(&smooth.gradient);
        for k in 0..self.kinks.len() {
            let mut excess = Local::new(dims);
            self.step.fill(0.0);
            let kink = self.kinks[k];
            let at = self.estimate(kink.output);
            let h = self.excess(&kink, at);
            self.add(kink.output, at, self.score.lower_curve(at, kink.output), &mut excess);
            let steep = norm(&excess.gradient).max(f64::MIN_POSITIVE);
            let balance: f64 =
                smooth.gradient.iter().zip(&excess.gradient).map(|(f, g)| f * g).sum::<f64>()
                    / steep
                    / steep;
            let kink = &mut self.kinks[k];
            kink.stiffness = (STIFF * rise.max(1e-6) / steep / steep / size).clamp(1e-9, 1e12);
            if h.abs() <= 2.0 * steep * size {
                kink.multiplier = balance.clamp(0.0, kink.weight);
            }
        }
    }

    /// Moves every multiplier to the best $\lambda$; whether all of them were there.
    fn settle(&mut self, x: &[f64], close: f64) -> bool {
        self.go(x);
        let mut settled = true;
        for k in 0..self.kinks.len() {
            let h = self.excess(&self.kinks[k], self.estimate(self.kinks[k].output));
            let kink = &mut self.kinks[k];
            let moved = kink.lambda(h);
            let near =
                if kink.weight.is_finite() { close / kink.weight.max(1.0) } else { 0.8 * INSIDE };
            settled &= moved == kink.multiplier || h.abs() <= near;
            kink.multiplier = moved;
            kink.stiffness *= STIFFER;
        }
        settled
    }

    fn go(&mut self, x: &[f64]) {
        for ((step, x), at) in self.step.iter_mut().zip(x).zip(&self.taylor.at) {
            *step = x - at;
        }
    }

    /// What is believed of an output where the last step led.
    fn estimate(&self, output: usize) -> Estimate {
        let expansion = &self.taylor.outputs[output];
        let variance = expansion.variance.at(&self.step).max(0.0);
        Estimate { mean: expansion.mean.at(&self.step), deviation: variance.sqrt() }
    }

    fn excess(&self, kink: &Kink, at: Estimate) -> f64 {
        let inside = if kink.weight.is_finite() { 0.0 } else { INSIDE };
        self.score.lower_curve(at, kink.output).value + inside
    }

    /// Adds a function of an output's estimate, and its derivatives by the chain rule.
    fn add(&mut self, output: usize, at: Estimate, curve: Curve, to: &mut Local) {
        to.value += curve.value;
        let expansion = &self.taylor.outputs[output];
        let dims = self.step.len();
        self.mean.iter_mut().zip(expansion.mean.slope(&self.step)).for_each(|(s, v)| *s = v);
        self.variance
            .iter_mut()
            .zip(expansion.variance.slope(&self.step))
            .for_each(|(s, v)| *s = v);
        // In the variance instead of the deviation.
        let half = if at.deviation > 0.0 { 0.5 / at.deviation } else { 0.0 };
        let by_variance = curve.deviation * half;
        let mixed = curve.mean_deviation * half;
        let bend = (curve.deviation_deviation - curve.deviation * 2.0 * half) * half * half;
        let (m, v) = (&self.mean, &self.variance);
        for i in 0..dims {
            to.gradient[i] += curve.mean * m[i] + by_variance * v[i];
            for j in 0..dims {
                let place = i * dims + j;
                to.hessian[place] += curve.mean * expansion.mean.hessian[place]
                    + by_variance * expansion.variance.hessian[place]
                    + curve.mean_mean * m[i] * m[j]
                    + mixed * (m[i] * v[j] + v[i] * m[j])
                    + bend * v[i] * v[j];
            }
        }
    }
}

impl Twice for Hill<'_> {
    fn value(&mut self, x: &[f64]) -> f64 {
        self.go(x);
        let mut value: f64 = 0.0;
        for q in 0..self.taylor.outputs.len() {
            value += self.score.smooth_curve(self.estimate(q), q).value;
        }
        for kink in &self.kinks {
            value -= kink.psi(self.excess(kink, self.estimate(kink.output)));
        }
        value
    }

    fn look(&mut self, x: &[f64], to: &mut Local) {
        self.go(x);
        to.clear();
        for q in 0..self.taylor.outputs.len() {
            let at = self.estimate(q);
            let mut curve = self.score.smooth_curve(at, q);
            if let Some(kink) = self.kinks.iter().find(|kink| kink.output == q) {
                let lower = self.score.lower_curve(at, q);
                curve = curve.minus(&kink.rounded(self.excess(kink, at), lower));
            }
            self.add(q, at, curve, to);
        }
    }
}

impl Kink {
    /// The best $\lambda$.
    fn lambda(&self, h: f64) -> f64 {
        (self.multiplier + self.stiffness * h).clamp(0.0, self.weight)
    }

    /// $\psi(h)$.
    fn psi(&self, h: f64) -> f64 {
        let lambda = self.lambda(h);
        lambda * h - (lambda - self.multiplier).powi(2) / (2.0 * self.stiffness)
    }

    /// $\psi$ as a function of the estimate, where `lower` is $h$ as one.
    fn rounded(&self, h: f64, lower: Curve) -> Curve {
        let lambda = self.lambda(h);
        let inside = lambda > 0.0 && lambda < self.weight;
        let bend = if inside { self.stiffness } else { 0.0 };
        Curve {
            value: self.psi(h),
            mean: lambda * lower.mean,
            deviation: lambda * lower.deviation,
            mean_mean: bend * lower.mean * lower.mean,
            mean_deviation: bend * lower.mean * lower.deviation,
            deviation_deviation: bend * lower.deviation * lower.deviation
                + lambda * lower.deviation_deviation,
        }
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confidence::Band;
    use crate::gp::{Expansion, Quadratic};
    use crate::policy::score::Rank;

    fn plane(value: f64, gradient: [f64; 2]) -> Quadratic {
        Quadratic { value, gradient: gradient.to_vec(), hessian: vec![0.0; 4] }
    }

    /// $f = 1 - |x - c|^2$ around the origin, $g$ a slanted plane, constant deviations.
    fn hill(c: [f64; 2]) -> Taylor {
        let f = Quadratic {
            value: 1.0 - c[0] * c[0] - c[1] * c[1],
            gradient: vec![2.0 * c[0], 2.0 * c[1]],
            hessian: vec![-2.0, 0.0, 0.0, -2.0],
        };
        let variance = plane(0.04, [0.0, 0.0]);
        let outputs = vec![
            Expansion { mean: f, variance: variance.clone() },
            Expansion { mean: plane(-0.1, [1.0, 0.5]), variance },
        ];
        let rank = Rank { violation: 0.0, value: 0.0 };
        Taylor { x: vec![0.0; 2], at: vec![0.0; 2], outputs, rank }
    }

    fn score(weight: f64, price: f64) -> Score {
        let band = Band { width: 0.5, ..Band::default() };
        Score::hinged(&[band, band], vec![weight]).priced(vec![price])
    }

    fn reached(weight: f64, price: f64) -> (Vec<f64>, f64) {
        let (taylor, score) = (hill([0.4, 0.3]), score(weight, price));
        let x = top(&taylor, &score, &[-1.0; 2], &[1.0; 2], 1e-10);
        let value = score.rank(&taylor.estimate(&x)).value;
        (x, value)
    }

    /// Against a fine grid: on the kink, beyond it, with a price, and where it is hard.
    #[test]
    fn no_point_of_a_grid_is_higher() {
        for (weight, price) in
            [(0.2, 0.0), (5.0, 0.0), (5.0, 0.7), (0.0, 0.7), (f64::INFINITY, 0.3)]
        {
            let (taylor, score) = (hill([0.4, 0.3]), score(weight, price));
            let (x, value) = reached(weight, price);
            for i in -100..=100 {
                for j in -100..=100 {
                    let at = [0.01 * f64::from(i), 0.01 * f64::from(j)];
                    let rank = score.rank(&taylor.estimate(&at));
                    assert!(
                        rank.violation > 0.0 || rank.value <= value + 1e-9,
                        "{weight} {at:?} {x:?}"
                    );
                }
            }
        }
    }

    /// On the kink $\check g = x + y/2 - 0.2 = 0$ the nearest point to $c$ is known.
    #[test]
    fn a_steep_hinge_is_met_exactly() {
        for weight in [5.0, f64::INFINITY] {
            let (x, _) = reached(weight, 0.0);
            let off = (0.4 + 0.15 - 0.2) / 1.25;
            assert!((x[0] - (0.4 - off)).abs() < 1e-8 && (x[1] - (0.3 - 0.5 * off)).abs() < 1e-8);
        }
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        let (taylor, score) = (hill([0.4, 0.3]), score(0.8, 0.6));
        let mut hill = Hill::new(&taylor, &score);
        (hill.kinks[0].multiplier, hill.kinks[0].stiffness) = (0.3, 2.0);
        let x = [0.13, 0.07];
        let mut at = Local::new(2);
        hill.look(&x, &mut at);
        assert!((at.value - hill.value(&x)).abs() < 1e-12);
        let h = 1e-6;
        for d in 0..2 {
            let moved = |by: f64| {
                std::array::from_fn::<f64, 2, _>(|k| if k == d { x[k] + by } else { x[k] })
            };
            let slope = (hill.value(&moved(h)) - hill.value(&moved(-h))) / (2.0 * h);
            assert!((slope - at.gradient[d]).abs() < 1e-7, "{slope} {:?}", at.gradient);
            let (mut up, mut down) = (Local::new(2), Local::new(2));
            hill.look(&moved(h), &mut up);
            hill.look(&moved(-h), &mut down);
            for e in 0..2 {
                let bend = (up.gradient[e] - down.gradient[e]) / (2.0 * h);
                assert!((bend - at.hessian[d * 2 + e]).abs() < 1e-6, "{bend} {:?}", at.hessian);
            }
        }
    }
}
