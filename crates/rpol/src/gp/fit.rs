//! MAP fit of the hyper-parameters.

use super::evidence::{Data, Hyper, evidence};
use crate::error::Result;
use crate::kernel::{Covariance, Kernel, ParamRole};
use crate::minimize::{Effort, Minimum, minimize};
use crate::random::Stream;

const EFFORT: Effort = Effort { iterations: 100, tolerance: 1e-5 };

/// A Gaussian on $\ln\theta$ with the range the search may use.
#[derive(Debug, Clone, Copy)]
struct Prior {
    mean: f64,
    deviation: f64,
    low: f64,
    high: f64,
}

/// How long lengthscales are before the data speak, as a share of each range: Gaussian in the logarithm around
/// `typical` times $\sqrt d$.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// The median in one dimension.
    pub typical: f64,
    /// Standard deviation of the logarithm.
    pub deviation: f64,
}

impl Default for Lengths {
    /// Hvarfner, Hellsten & Nardi 2024: $\ln\ell$ with mean $\sqrt2 + \tfrac12\ln d$ and deviation $\sqrt3$.
    fn default() -> Self {
        Self { typical: 2f64.sqrt().exp(), deviation: 3f64.sqrt() }
    }
}

/// Fitted hyper-parameters, in standard units.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The best found.
    pub hyper: Hyper,
    /// Log evidence plus log prior (up to a constant) at the best.
    pub log_posterior: f64,
    /// Whether the local search that found it converged.
    pub converged: bool,
    /// Names of the hyper-parameters that ended at the edge of their range.
    pub at_edge: Vec<String>,
    /// The largest jitter the covariance matrix needed there.
    pub jitter: f64,
}

impl Fit {
    /// Why the fit should be trusted less, in words; `None` for a sound one.
    #[must_use]
    pub fn degraded(&self) -> Option<String> {
        let reasons = [
            (!self.converged).then(|| "the search did not converge".to_string()),
            (!self.at_edge.is_empty()).then(|| format!("at the edge: {}", self.at_edge.join(", "))),
            (self.jitter > 0.0).then(|| format!("jitter {:e} was needed", self.jitter)),
        ];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// Maximum a posteriori hyper-parameters: bounded L-BFGS from the prior's mode, from `warm` when given,
/// and from `extra` random draws of the prior. Never worse than the prior's mode, usable from $n = 0$.
///
/// `kernel` gives the structure; its values are ignored. Inputs are expected in the unit cube. Priors
/// are Gaussian in the logarithm: lengthscales as `lengths` has it, noise variance $-4 \pm 1$, signal variance
/// $0 \pm 1$, other shapes $0 \pm 1$; the constant mean is $0 \pm 1$ in standard units.
///
/// ```
/// use rpol::{Kernel, gp::{Lengths, Scale, evidence::Data, fit}, random::Stream};
/// let mut data = Data::new(1, Scale::default());
/// data.observe(&[0.5], 0.3, None).unwrap();
/// let kernel = Kernel::matern52([1.0]).scaled(1.0);
/// let fitted = fit(&data, &kernel, Lengths::default(), None, 2, &mut Stream::new(7, 0)).unwrap();
/// assert!(fitted.converged && fitted.hyper.noise > 0.0);
/// ```
pub fn fit(
    data: &Data,
    kernel: &Kernel,
    lengths: Lengths,
    warm: Option<&Hyper>,
    extra: usize,
    stream: &mut Stream,
) -> Result<Fit> {
    kernel.validate(data.dims())?;
    let search = Search::new(data, kernel, lengths);
    let mode: Vec<f64> = search.priors.iter().map(|p| p.mean).collect();
    let mut starts = vec![mode];
    starts.extend(warm.map(pack));
    for _ in 0..extra {
        starts.push(search.priors.iter().map(|p| p.mean + p.deviation * stream.normal()).collect());
    }
    let ends = starts.iter().map(|start| search.descend(start));
    // The first of equals: the outcome must not depend on how ties fall.
    let best = ends.reduce(|a, b| if b.value < a.value { b } else { a });
    best.map(|best| search.conclude(best)).unwrap_or_else(|| unreachable!("the mode is a start"))
}

struct Search<'a> {
    data: &'a Data,
    kernel: &'a Kernel,
    priors: Vec<Prior>,
}

impl<'a> Search<'a> {
    fn new(data: &'a Data, kernel: &'a Kernel, lengths: Lengths) -> Self {
        let mut priors: Vec<Prior> =
            kernel.param_roles().iter().map(|role| prior(*role, data.dims(), lengths)).collect();
        priors.push(Prior { mean: -4.0, deviation: 1.0, low: -18.0, high: 5.0 });
        priors.push(Prior { mean: 0.0, deviation: 1.0, low: -10.0, high: 10.0 });
        Self { data, kernel, priors }
    }

    fn descend(&self, start: &[f64]) -> Minimum {
        let low: Vec<f64> = self.priors.iter().map(|p| p.low).collect();
        let high: Vec<f64> = self.priors.iter().map(|p| p.high).collect();
        minimize(|at, gradient| self.cost(at, gradient), start, &low, &high, EFFORT)
    }

    /// Minus the log posterior; not finite where the covariance matrix cannot be factored.
    fn cost(&self, at: &[f64], gradient: &mut [f64]) -> f64 {
        let Ok(evidence) = evidence(self.data, &unpack(self.kernel, at)) else { return f64::NAN };
        let mut value = -evidence.value;
        for (i, prior) in self.priors.iter().enumerate() {
            let away = (at[i] - prior.mean) / prior.deviation;
            value += 0.5 * away * away;
            gradient[i] = away / prior.deviation - evidence.gradient[i];
        }
        value
    }

    fn conclude(&self, best: Minimum) -> Result<Fit> {
        let hyper = unpack(self.kernel, &best.x);
        let jitter = evidence(self.data, &hyper)?.jitter;
        let mut names = self.kernel.param_names();
        names.extend(["noise".to_string(), "mean".to_string()]);
        let edge = |(x, p): (&f64, &Prior)| *x <= p.low || *x >= p.high;
        let at_edge = best.x.iter().zip(&self.priors).map(edge);
        let at_edge =
            names.into_iter().zip(at_edge).filter(|(_, edge)| *edge).map(|(name, _)| name);
        Ok(Fit {
            hyper,
            log_posterior: -best.value,
            converged: best.converged,
            at_edge: at_edge.collect(),
            jitter,
        })
    }
}

fn prior(role: ParamRole, dims: usize, lengths: Lengths) -> Prior {
    match role {
        ParamRole::Lengthscale => {
            let mean = lengths.typical.ln() + 0.5 * (dims as f64).ln();
            Prior { mean, deviation: lengths.deviation, low: -7.0, high: mean + 8.0 }
        }
        ParamRole::Variance => Prior { mean: 0.0, deviation: 1.0, low: -12.0, high: 12.0 },
        ParamRole::Period | ParamRole::Shape => {
            Prior { mean: 0.0, deviation: 1.0, low: -5.0, high: 5.0 }
        }
    }
}

fn pack(hyper: &Hyper) -> Vec<f64> {
    let mut at = Vec::new();
    hyper.kernel.log_params(&mut at);
    at.extend([hyper.noise.ln(), hyper.mean]);
    at
}

fn unpack(kernel: &Kernel, at: &[f64]) -> Hyper {
    let mut kernel = kernel.clone();
    let rest = kernel.set_log_params(at);
    Hyper { kernel, noise: rest[0].exp(), mean: rest[1] }
}
