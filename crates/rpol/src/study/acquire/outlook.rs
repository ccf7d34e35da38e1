//! How probable it is that a setting that was measured keeps a limit: its mean, and its next
//! measurement.
//!
//! A surrogate borrows from neighbouring settings. Near a cliff, or where the noise changes from
//! place to place, it is too sure. So what the neighbours say is a prior that may be wrong, and what
//! was measured at the setting itself is the likelihood:
//!
//! 1. *Neighbours.* The setting's own measurements are taken out of the posterior, by precision.
//!    What is left, $N(\mu_-, \sigma_-^2)$, becomes a contaminated normal: wrong with a probability
//!    of 12 %, by four deviations (`risk`).
//! 2. *Own noise.* The variance of one measurement here is $s_x^2 = (\nu s^2 + S)/(\nu + n - 1)$: the
//!    study's noise $s^2$ counts for $\nu = 4$ measurements, $S$ is the scatter of the $n$ own ones.
//! 3. *Posterior.* Both components are updated by the mean of the own measurements, and weighed
//!    again by how well they foretold it. Where neighbours and measurements disagree, the wide
//!    component takes over and the measurements decide.
//! 4. *Mean.* A limit is about the mean of the metric, not of its transform. With noise the mean of
//!    a logarithm's inverse is above its median; the limit on the transformed scale is moved by as
//!    much.

use super::risk::{WRONG, WRONG_BY};
use crate::gp::{Scale, Shape, Warp};
use crate::policy::score::Estimate;
use crate::random::normal_cdf;
use crate::study::data::stats::OutputStats;
use crate::study::log::event::Fitted;

/// A scatter beyond this says nothing more, and its products would overflow.
const WILD: f64 = 1e100;
/// The largest value expected of an output: sums of a few of them stay finite.
const LARGEST: f64 = f64::MAX / 16.0;
/// $\nu$: how many measurements the study's noise counts for, beside a setting's own scatter.
const SHARED: f64 = 4.0;
/// A metric that is at its limit while all is well has a mean within it only if it hardly ever leaves it: deviations of one
/// in a thousand.
const HARDLY_EVER: f64 = 3.09;
/// Nodes and weights of Gauss-Hermite quadrature for a standard normal variable, the positive half (Abramowitz & Stegun 25.4.46,
/// nine nodes).
const CENTRE_WEIGHT: f64 = 0.406_349_206_349_206_35;
const NODES: [(f64, f64); 4] = [
    (1.023_255_663_789_132_6, 0.244_097_502_894_939_4),
    (2.076_847_978_677_83, 0.049_916_406_765_217_88),
    (3.205_429_002_856_47, 0.002_789_141_321_231_769),
    (4.512_745_863_399_783, 2.234_584_400_774_658e-5),
];

/// What was measured of an output at one setting, in standard units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::study) struct Own {
    /// How many measurements; one with a standard error of its own counts by its precision.
    pub(in crate::study) count: f64,
    pub(in crate::study) mean: f64,
    /// The variance of that mean, as the surrogate has it.
    pub(in crate::study) variance: f64,
    /// $\sum(y - \bar y)^2$.
    pub(in crate::study) scatter: f64,
}

impl Own {
    /// From what was seen of an output at a setting, in its unit; `None` where nothing was.
    pub(in crate::study) fn of(stats: &OutputStats, unit: Scale, fitted: &Fitted) -> Option<Self> {
        let valued = stats.valued(fitted)?;
        Some(Self {
            count: fitted.noise / valued.noise,
            mean: unit.standard(valued.value),
            variance: valued.noise,
            scatter: (stats.plain.scatter / unit.spread).powi(2).min(WILD),
        })
    }

    /// $s_x^2$: the variance of one measurement here.
    fn noise(&self, shared: f64) -> f64 {
        (SHARED * shared + self.scatter) / (SHARED + (self.count - 1.0).max(0.0))
    }
}

/// How an output is measured: its transform, its unit, and the noise of one measurement in standard units.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Metric {
    pub(in crate::study) warp: Warp,
    pub(in crate::study) unit: Scale,
    pub(in crate::study) noise: f64,
}

impl Metric {
    /// The value of the output whose transform this is.
    fn value(&self, u: f64) -> f64 {
        self.warp.invert(self.unit.restore(u)).clamp(-LARGEST, LARGEST)
    }

    /// The mean of many measurements where the transform's mean is `u`.
    pub(in crate::study) fn mean(&self, u: f64) -> f64 {
        let s = self.noise.sqrt();
        let pair = |z: f64| self.value(u - s * z) + self.value(u + s * z);
        let sides: f64 = NODES.iter().map(|(node, weight)| weight * pair(*node)).sum();
        CENTRE_WEIGHT * self.value(u) + sides
    }

    /// The largest `u` at which the mean of many measurements keeps a limit at 0.
    fn limit(&self) -> f64 {
        let s = self.noise.sqrt();
        match self.warp.shape {
            Shape::Identity => 0.0,
            Shape::Jump { .. } => -HARDLY_EVER * s,
            _ => {
                let (mut low, mut high) = (-8.0 * s, 8.0 * s);
                for _ in 0..40 {
                    let middle = 0.5 * (low + high);
                    *(if self.mean(middle) <= 0.0 { &mut low } else { &mut high }) = middle;
                }
                low
            }
        }
    }
}

/// What is believed of an output at a setting that was measured: two normal distributions of its mean, and the noise.
#[derive(Debug, Clone, Copy)]
pub(in crate::study) struct Outlook {
    /// Weight, mean and variance.
    parts: [(f64, Estimate); 2],
    /// With the setting's own noise.
    metric: Metric,
    /// The largest mean of the transform at which the metric's mean keeps the limit.
    limit: f64,
}

impl Outlook {
    /// From the surrogate's belief, in which the own measurements are included, and these by themselves; `prior` is the
    /// variance before anything was measured.
    pub(in crate::study) fn new(believed: Estimate, prior: f64, own: Own, metric: Metric) -> Self {
        let noise = own.noise(metric.noise);
        let metric = Metric { noise, ..metric };
        let limit = metric.limit();
        if own.count <= 0.0 {
            let wide = Estimate { deviation: WRONG_BY * believed.deviation, ..believed };
            return Self { parts: [(1.0 - WRONG, believed), (WRONG, wide)], metric, limit };
        }
        let neighbours = without(believed, prior, own);
        let measured = noise / own.count;
        let part = |weight: f64, widened: f64| {
            let variance = (widened * neighbours.deviation).powi(2);
            let total = variance + measured;
            let share = variance / total;
            let miss = own.mean - neighbours.mean;
            let foretold = (-0.5 * miss * miss / total).exp() / total.sqrt();
            let mean = neighbours.mean + share * miss;
            (weight * foretold, Estimate { mean, deviation: (share * measured).sqrt() })
        };
        let mut parts = [part(1.0 - WRONG, 1.0), part(WRONG, WRONG_BY)];
        let total = parts[0].0 + parts[1].0;
        // So far apart that both are impossible: then the wide one is the nearer.
        let weights = if total > 0.0 { parts.map(|p| p.0 / total) } else { [0.0, 1.0] };
        parts.iter_mut().zip(weights).for_each(|(part, weight)| part.0 = weight);
        Self { parts, metric, limit }
    }

    /// The probability that the mean of many measurements keeps the limit.
    pub(in crate::study) fn mean_within(&self) -> f64 {
        self.below(self.limit, 0.0)
    }

    /// Whether its values say nothing of how near the limit is: a metric that is at its limit while all is well.
    pub(in crate::study) fn is_blind(&self) -> bool {
        matches!(self.metric.warp.shape, Shape::Jump { .. })
    }

    /// The probability that the next measurement does.
    pub(in crate::study) fn next_within(&self) -> f64 {
        self.below(0.0, self.metric.noise)
    }

    fn below(&self, limit: f64, noise: f64) -> f64 {
        let below = |at: Estimate| {
            let deviation = at.deviation.hypot(noise.sqrt());
            match deviation > 0.0 {
                true => normal_cdf((limit - at.mean) / deviation),
                false => f64::from(at.mean <= limit),
            }
        };
        self.parts.iter().map(|(weight, at)| weight * below(*at)).sum()
    }

    /// Mean and deviation of the transform's mean.
    fn latent(&self) -> Estimate {
        let mean = self.parts.iter().map(|(weight, at)| weight * at.mean).sum::<f64>();
        // In units of the largest, so that no square overflows.
        let apart = |at: Estimate| at.deviation.max((at.mean - mean).abs());
        let unit = self.parts.iter().map(|(_, at)| apart(*at)).fold(f64::MIN_POSITIVE, f64::max);
        let square = |at: Estimate| (at.deviation / unit).hypot((at.mean - mean) / unit).powi(2);
        let variance = self.parts.iter().map(|(weight, at)| weight * square(*at)).sum::<f64>();
        Estimate { mean, deviation: unit * variance.sqrt() }
    }

    /// Mean and deviation of what many measurements average to, in the output's own unit, and the deviation of one.
    pub(in crate::study) fn expected(&self) -> (Estimate, f64) {
        let Estimate { mean, deviation } = self.latent();
        let half = |f: &dyn Fn(f64) -> f64, by: f64| 0.5 * f(mean + by) - 0.5 * f(mean - by);
        let average = |u: f64| self.metric.mean(u);
        let expected = Estimate { mean: average(mean), deviation: half(&average, deviation).abs() };
        let noise = half(&|u| self.metric.value(u), self.metric.noise.sqrt()).abs();
        (expected, noise)
    }

    /// The same after `more` measurements that agree with what is believed now.
    pub(in crate::study) fn after(&self, more: f64) -> Self {
        let Estimate { mean, deviation } = self.latent();
        let share = self.metric.noise / (self.metric.noise + more * deviation.powi(2));
        let share = if share.is_finite() { share } else { 1.0 };
        let at = Estimate { mean, deviation: deviation * share.sqrt() };
        Self { parts: [(1.0, at), (0.0, at)], ..*self }
    }
}

/// The belief without the setting's own measurements; never wider than before anything was measured.
fn without(believed: Estimate, prior: f64, own: Own) -> Estimate {
    let (with, alone) = (believed.deviation.powi(2).recip(), own.variance.recip());
    let precision = (with - alone).max(prior.recip());
    if !(precision.is_finite() && alone.is_finite()) {
        return Estimate { mean: own.mean, deviation: prior.sqrt() };
    }
    // Where next to nothing is left of it, the mean is not to be trusted: it is a difference of large numbers.
    let rest = with - alone;
    let share = if rest > 1e-6 * with { (rest / precision).min(1.0) } else { 0.0 };
    let mean = (believed.mean * with - own.mean * alone) / rest;
    let mean = if share > 0.0 { share * mean + (1.0 - share) * own.mean } else { own.mean };
    Estimate { mean, deviation: precision.recip().sqrt() }
}
