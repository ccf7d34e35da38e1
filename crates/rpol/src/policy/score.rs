//! What a policy maximises at one decision, as a function of the beliefs at a point.
//!
//! A score has one of four shapes: a smooth upper bound minus *hinges* `$w_i\check g_i^+$` (RPOL, EPBO,
//! GP-UCB, and CONFIG with infinite weights), a clamped sum (CKB), a weighted sum (epoch penalties), or
//! an improvement (EI). `guarded` and the safe policies choose among settings that are safe enough, and
//! maximise a score only where there is none.

use crate::confidence::Band;
use crate::gp::Scale;
use std::cmp::Ordering;

/// What is believed of one output at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

impl Estimate {
    /// The same in standard units.
    pub(crate) fn standard(self, unit: Scale) -> Self {
        Self { mean: unit.standard(self.mean), deviation: self.deviation / unit.spread }
    }
}

/// Derivatives of a function of an [`Estimate`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Slope {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// A function of an [`Estimate`] to second order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Curve {
    pub(crate) value: f64,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    pub(crate) mean_mean: f64,
    pub(crate) mean_deviation: f64,
    pub(crate) deviation_deviation: f64,
}

impl Curve {
    fn scaled(mut self, factor: f64) -> Self {
        let Self { value, mean, deviation, mean_mean, mean_deviation, deviation_deviation } =
            &mut self;
        for part in [value, mean, deviation, mean_mean, mean_deviation, deviation_deviation] {
            *part *= factor;
        }
        self
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self {
            value: self.value - other.value,
            mean: self.mean - other.mean,
            deviation: self.deviation - other.deviation,
            mean_mean: self.mean_mean - other.mean_mean,
            mean_deviation: self.mean_deviation - other.mean_deviation,
            deviation_deviation: self.deviation_deviation - other.deviation_deviation,
        }
    }
}

/// A candidate's standing: less violation first, then more value. Only a hard constraint violates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rank {
    pub(crate) violation: f64,
    pub(crate) value: f64,
}

impl Rank {
    pub(crate) fn beats(self, other: Rank) -> bool {
        if self.violation == other.violation {
            self.value > other.value
        } else {
            self.violation < other.violation
        }
    }

    /// By how much this one is better, in violation while there is any.
    pub(crate) fn gain_over(self, other: Rank) -> f64 {
        if self.violation == other.violation {
            self.value - other.value
        } else {
            other.violation - self.violation
        }
    }

    /// This rank, better by `gain`.
    pub(crate) fn raised(self, gain: f64) -> Rank {
        if self.violation > 0.0 {
            let violation = (self.violation - gain).max(0.0);
            return Rank {
                violation,
                value: if violation > 0.0 { -violation } else { f64::INFINITY },
            };
        }
        Rank { value: self.value + gain, ..self }
    }

    /// The better one first.
    pub(crate) fn order(self, other: Rank) -> Ordering {
        match (self.beats(other), other.beats(self)) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

/// The function to maximise, over the estimates of the objective and of every constraint.
#[derive(Debug, Clone)]
pub(crate) struct Score {
    bands: Vec<Band>,
    weights: Vec<f64>,
    /// $\rho_i$, where an expected violation costs something by itself.
    prices: Vec<f64>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// $\hat f - \sum_i w_i\check g_i^+ - \sum_i\rho_i\mathrm E\,g_i^+$; an infinite weight is a hard constraint.
    Hinged,
    /// $[\hat f]_{-B}^B - \sum_i w_i[\check g_i]_{-G}^G$.
    Clamped { objective: f64, constraint: f64 },
    /// $\mu_f - \sum_i w_i\mu_i + w\sigma$.
    WeightedSum,
    /// $\mathrm{EI}\cdot\prod\Phi(-\mu_i/\sigma_i)$, in logarithms.
    Improvement { best: Option<f64> },
}

/// A hard constraint counts as kept up to this: a local search ends on the boundary, not beyond it.
const KEPT: f64 = 1e-9;

impl Score {
    pub(crate) fn hinged(bands: &[Band], weights: Vec<f64>) -> Self {
        Self { bands: bands.to_vec(), weights, prices: Vec::new(), form: Form::Hinged }
    }

    /// The same where every expected violation has a price.
    pub(crate) fn priced(self, prices: Vec<f64>) -> Self {
        Self { prices, ..self }
    }

    /// The same with further limits, up to `limits` in all, of this weight and without a price.
    pub(crate) fn limited(mut self, limits: usize, weight: f64) -> Self {
        self.weights.resize(limits.max(self.weights.len()), weight);
        if !self.prices.is_empty() {
            self.prices.resize(self.weights.len(), 0.0);
        }
        self
    }

    pub(crate) fn clamped(
        bands: &[Band],
        weights: Vec<f64>,
        objective: f64,
        constraint: f64,
    ) -> Self {
        Self {
            bands: bands.to_vec(),
            weights,
            prices: Vec::new(),
            form: Form::Clamped { objective, constraint },
        }
    }

    pub(crate) fn weighted_sum(bands: &[Band], weights: Vec<f64>) -> Self {
        Self { bands: bands.to_vec(), weights, prices: Vec::new(), form: Form::WeightedSum }
    }

    pub(crate) fn improvement(best: Option<f64>) -> Self {
        Self {
            bands: Vec::new(),
            weights: Vec::new(),
            prices: Vec::new(),
            form: Form::Improvement { best },
        }
    }

    /// $\hat f$.
    pub(crate) fn upper(&self, at: &[Estimate]) -> f64 {
        at[0].mean + self.bands[0].reach(at[0].deviation)
    }

    /// $\hat f - \sum_i\rho_i\mathrm E\,g_i^+$: what is left of the score where every bound is kept.
    pub(crate) fn smooth(&self, at: &[Estimate]) -> f64 {
        let costs = self.prices.iter().zip(&at[1..]).map(|(price, g)| price * Excess::of(*g).value);
        self.upper(at) - costs.sum::<f64>()
    }

    /// $\check g_i$, for $i$ from 1.
    pub(crate) fn lower(&self, at: &[Estimate], i: usize) -> f64 {
        at[i].mean - self.bands[i].reach(at[i].deviation)
    }

    /// What an output adds to [`smooth`](Self::smooth), to second order.
    pub(crate) fn smooth_curve(&self, at: Estimate, output: usize) -> Curve {
        let Some(i) = output.checked_sub(1) else {
            let (value, deviation, deviation_deviation) = self.reach_curve(at, 0);
            return Curve {
                value: at.mean + value,
                mean: 1.0,
                deviation,
                deviation_deviation,
                ..Curve::default()
            };
        };
        match self.prices.get(i) {
            Some(price) if *price != 0.0 => Excess::of(at).curve(at).scaled(-price),
            _ => Curve::default(),
        }
    }

    /// [`lower`](Self::lower) to second order.
    pub(crate) fn lower_curve(&self, at: Estimate, i: usize) -> Curve {
        let (value, slope, bend) = self.reach_curve(at, i);
        Curve {
            value: at.mean - value,
            mean: 1.0,
            deviation: -slope,
            deviation_deviation: -bend,
            ..Curve::default()
        }
    }

    /// Reach of a band with two derivatives, the second by differences: the first is smooth.
    fn reach_curve(&self, at: Estimate, i: usize) -> (f64, f64, f64) {
        let (band, sigma) = (&self.bands[i], at.deviation);
        let step = 1e-4 * sigma;
        let bend = if band.taper > 0.0 && step > 0.0 {
            (band.slope(sigma + step) - band.slope(sigma - step)) / (2.0 * step)
        } else {
            0.0
        };
        (band.reach(sigma), band.slope(sigma), bend)
    }

    /// The hinge weights, where the score is a smooth function minus hinges.
    pub(crate) fn hinges(&self) -> Option<&[f64]> {
        (self.form == Form::Hinged).then_some(&self.weights)
    }

    /// The bands, where the score is made of bands.
    pub(crate) fn bands(&self) -> &[Band] {
        &self.bands
    }

    pub(crate) fn rank(&self, at: &[Estimate]) -> Rank {
        let hard = |i: &usize| self.form == Form::Hinged && self.weights[i - 1].is_infinite();
        let violation = (1..at.len()).filter(hard).map(|i| self.lower(at, i)).fold(0.0, f64::max);
        if violation > KEPT {
            return Rank { violation, value: -violation };
        }
        Rank { violation: 0.0, value: self.value(at) }
    }

    fn value(&self, at: &[Estimate]) -> f64 {
        match self.form {
            Form::Hinged => {
                let soft = (1..at.len()).filter(|i| self.weights[i - 1].is_finite());
                let penalty: f64 =
                    soft.map(|i| self.weights[i - 1] * self.lower(at, i).max(0.0)).sum();
                self.smooth(at) - penalty
            }
            Form::Clamped { objective, constraint } => {
                let cost =
                    |i| self.weights[i - 1] * self.lower(at, i).clamp(-constraint, constraint);
                self.upper(at).clamp(-objective, objective) - (1..at.len()).map(cost).sum::<f64>()
            }
            Form::WeightedSum => {
                let means: f64 = (1..at.len()).map(|i| self.weights[i - 1] * at[i].mean).sum();
                self.upper(at) - means
            }
            Form::Improvement { best } => {
                let feasible: f64 = at[1..].iter().map(log_feasible).sum();
                feasible + best.map_or(0.0, |best| log_improvement(at[0], best))
            }
        }
    }

    /// Derivatives of the value in every estimate; at a kink, those of one side.
    pub(crate) fn slopes(&self, at: &[Estimate]) -> Vec<Slope> {
        let band = |i: usize| self.bands[i].slope(at[i].deviation);
        let lower = |i: usize, weight: f64| Slope { mean: -weight, deviation: weight * band(i) };
        let mut slopes = vec![Slope::default(); at.len()];
        match self.form {
            Form::Hinged => {
                for (i, slope) in slopes.iter_mut().enumerate() {
                    let mut curve = self.smooth_curve(at[i], i);
                    let weight = i.checked_sub(1).map(|i| self.weights[i]);
                    if let Some(weight) = weight.filter(|w| w.is_finite())
                        && self.lower(at, i) > 0.0
                    {
                        curve = curve.minus(&self.lower_curve(at[i], i).scaled(weight));
                    }
                    *slope = Slope { mean: curve.mean, deviation: curve.deviation };
                }
            }
            Form::Clamped { objective, constraint } => {
                if self.upper(at).abs() < objective {
                    slopes[0] = Slope { mean: 1.0, deviation: band(0) };
                }
                for i in 1..at.len() {
                    if self.lower(at, i).abs() < constraint {
                        slopes[i] = lower(i, self.weights[i - 1]);
                    }
                }
            }
            Form::WeightedSum => {
                slopes[0] = Slope { mean: 1.0, deviation: band(0) };
                for i in 1..at.len() {
                    slopes[i].mean = -self.weights[i - 1];
                }
            }
            Form::Improvement { best } => {
                let mut set = |i: usize, value: &dyn Fn(Estimate) -> f64| {
                    slopes[i] = differences(at[i], value)
                };
                if let Some(best) = best {
                    set(0, &|e| log_improvement(e, best));
                }
                (1..at.len()).for_each(|i| set(i, &|e| log_feasible(&e)));
            }
        }
        slopes
    }
}

/// $\mathrm E\,g^+ = \mu\Phi(z) + \sigma\varphi(z)$ with $z = \mu/\sigma$, and its slopes $\Phi(z)$ and $\varphi(z)$.
struct Excess {
    value: f64,
    slope: Slope,
}

/// This many deviations from the limit the excess equals its mean in floating point: what is left out is below $10^{-20}$ of a
/// deviation.
const CERTAIN: f64 = 9.0;

impl Excess {
    fn of(at: Estimate) -> Self {
        if at.deviation <= 0.0 {
            let mean = if at.mean > 0.0 { 1.0 } else { 0.0 };
            return Self { value: at.mean.max(0.0), slope: Slope { mean, deviation: 0.0 } };
        }
        let z = at.mean / at.deviation;
        if z.abs() > CERTAIN {
            let mean = if z > 0.0 { 1.0 } else { 0.0 };
            return Self { value: at.mean.max(0.0), slope: Slope { mean, deviation: 0.0 } };
        }
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        let share = 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
        let slope = Slope { mean: share, deviation: density };
        Self { value: at.mean * share + at.deviation * density, slope }
    }

    /// To second order: $\Phi$ and $\varphi$ have the derivatives $\varphi$ and $-z\varphi$ in $z$.
    fn curve(&self, at: Estimate) -> Curve {
        let Slope { mean, deviation } = self.slope;
        let z = if at.deviation > 0.0 { at.mean / at.deviation } else { 0.0 };
        let bend = if at.deviation > 0.0 { deviation / at.deviation } else { 0.0 };
        Curve {
            value: self.value,
            mean,
            deviation,
            mean_mean: bend,
            mean_deviation: -z * bend,
            deviation_deviation: z * z * bend,
        }
    }
}

/// Central differences in the two numbers of an estimate: exact enough for a smooth scalar function.
fn differences(at: Estimate, value: &dyn Fn(Estimate) -> f64) -> Slope {
    let step = 1e-6 * (at.deviation + 1e-12);
    let mean = |d: f64| value(Estimate { mean: at.mean + d, ..at });
    let deviation = |d: f64| value(Estimate { deviation: at.deviation + d, ..at });
    Slope {
        mean: (mean(step) - mean(-step)) / (2.0 * step),
        deviation: (deviation(step) - deviation(-step)) / (2.0 * step),
    }
}

/// $\ln\Phi(z)$, without underflow far out in the tail.
fn log_normal_cdf(z: f64) -> f64 {
    if z > -5.0 {
        (0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)).ln()
    } else {
        // Mills' ratio as a continued fraction.
        let tail = z - 1.0 / (z - 2.0 / (z - 3.0 / (z - 4.0 / (z - 5.0 / z))));
        -0.5 * z * z - (-tail).ln() - 0.5 * std::f64::consts::TAU.ln()
    }
}

fn log_feasible(at: &Estimate) -> f64 {
    if at.deviation > 0.0 {
        log_normal_cdf(-at.mean / at.deviation)
    } else if at.mean <= 0.0 {
        0.0
    } else {
        f64::MIN
    }
}

/// $\ln\mathrm{EI}$, with $\mathrm{EI} = \sigma(\varphi(z) + z\Phi(z))$, $z = (\mu - \text{best})/\sigma$.
fn log_improvement(at: Estimate, best: f64) -> f64 {
    if at.deviation <= 0.0 {
        return if at.mean > best { (at.mean - best).ln() } else { f64::MIN };
    }
    let z = (at.mean - best) / at.deviation;
    let density = -0.5 * z * z - 0.5 * std::f64::consts::TAU.ln();
    let share = if z > -5.0 {
        (density.exp() + z * log_normal_cdf(z).exp()).max(f64::MIN_POSITIVE).ln()
    } else {
        // phi(z) (1 - |z| Phi(z)/phi(z)), whose bracket falls off as 1/z^2.
        density - (z * z + 3.0).ln()
    };
    at.deviation.ln() + share
}
