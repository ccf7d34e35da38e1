//! MAP fit of the hyper-parameters.
//!
//! Lengthscales have the mean $\sqrt2 + \tfrac12\ln d$ (Hvarfner, Hellsten & Nardi 2024): functions
//! are expected smoother in more dimensions, so one default serves from 1 to many. The first of
//! equally good ends is taken. When rows are searched in part, they are spread evenly over the
//! order in which they came. A test compares the result with a search of all rows from every start:
//! less than 0.02 in log posterior is lost.

use super::evidence::{Data, Evidence, Hyper, Pairs, evidence_of};
use crate::error::Result;
use crate::kernel::{Covariance, Kernel, ParamRole};
use crate::minimize::{Effort, Minimum, minimize};
use crate::random::Stream;
use std::cell::RefCell;

const EXACT: Effort = Effort { iterations: 100, tolerance: 1e-5, decrease: 0.0 };
/// Of many rows: hyper-parameters that differ by less than this in log posterior make no difference.
const ENOUGH: Effort = Effort { decrease: 1e-3, ..EXACT };
/// Where the fit is soon done again with more data, and errors are mended by feedback.
const QUICK: Effort = Effort { tolerance: 1e-3, ..ENOUGH };
/// Of more rows than twice this, this number is searched first, and all of them only from where that leads.
const FEW: usize = 128;

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

/// What is expected of hyper-parameters before the data speak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Priors {
    pub(crate) lengths: Lengths,
    /// Of categories, where they are expected to matter less or more than lengths do.
    pub(crate) categories: Option<Lengths>,
    /// Deviation of the constant mean around 0.
    pub(crate) mean: f64,
    /// The least signal variance.
    pub(crate) variance: f64,
}

impl From<Lengths> for Priors {
    fn from(lengths: Lengths) -> Self {
        Self { lengths, categories: None, mean: 1.0, variance: 0.0 }
    }
}

/// Fitted hyper-parameters, in standard units.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
/// Every look at $n$ rows costs $n^3$. Of more than 256 rows 128 are searched in this way first; all of them are then
/// searched once, from where that ended or from the best of the starts, until a step gains less than $10^{-3}$ in log posterior.
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
    fit_under(data, kernel, lengths.into(), warm, extra, stream)
}

/// The same under other priors.
pub(crate) fn fit_under(
    data: &Data,
    kernel: &Kernel,
    priors: Priors,
    warm: Option<&Hyper>,
    extra: usize,
    stream: &mut Stream,
) -> Result<Fit> {
    kernel.validate(data.dims())?;
    let search = Search::new(data, kernel, priors);
    let mut starts = search.starts(warm, extra, stream);
    if data.len() <= 2 * FEW {
        return search.conclude(search.lowest(&starts, EXACT));
    }
    let few = data.thinned(FEW);
    starts.push(Search::new(&few, kernel, priors).lowest(&starts, EXACT).x);
    search.conclude(search.descend(search.lowest_start(&starts), ENOUGH))
}

/// The same where hyper-parameters are fitted again soon: from the same starts, but no farther than it matters. The log
/// posterior at the best of the starts, and the fit; `None` where that start is hopeless already.
pub(crate) fn fit_quickly(
    data: &Data,
    kernel: &Kernel,
    priors: Priors,
    warm: Option<&Hyper>,
    extra: usize,
    stream: &mut Stream,
    is_hopeless: impl Fn(f64) -> bool,
) -> Result<Option<(f64, Fit)>> {
    kernel.validate(data.dims())?;
    let search = Search::new(data, kernel, priors);
    let starts = search.starts(warm, extra, stream);
    let begun = search.look(search.lowest_start(&starts));
    let begun = begun.map_or(f64::NEG_INFINITY, |look| -look.cost);
    if is_hopeless(begun) {
        return Ok(None);
    }
    Ok(Some((begun, search.conclude(search.lowest(&starts, QUICK))?)))
}

/// What one look at the data has shown.
#[derive(Debug, Clone)]
struct Look {
    /// Minus the log posterior.
    cost: f64,
    gradient: Vec<f64>,
    jitter: f64,
}

struct Search<'a> {
    data: &'a Data,
    kernel: &'a Kernel,
    pairs: Pairs,
    priors: Vec<Prior>,
    /// Every look costs $n^3$: none is taken twice.
    looks: RefCell<Vec<(Vec<f64>, Result<Look>)>>,
}

impl<'a> Search<'a> {
    fn new(data: &'a Data, kernel: &'a Kernel, expected: Priors) -> Self {
        let roles = kernel.param_roles();
        let mut priors: Vec<Prior> =
            roles.iter().map(|role| prior(*role, data.dims(), expected)).collect();
        priors.push(Prior { mean: -4.0, deviation: 1.0, low: -18.0, high: 5.0 });
        priors.push(Prior { mean: 0.0, deviation: expected.mean, low: -10.0, high: 10.0 });
        let pairs = Pairs::new(data, kernel);
        Self { data, kernel, pairs, priors, looks: RefCell::default() }
    }

    /// The prior's mode, what is known, and draws of the prior.
    fn starts(&self, warm: Option<&Hyper>, extra: usize, stream: &mut Stream) -> Vec<Vec<f64>> {
        let mut starts = vec![self.priors.iter().map(|p| p.mean).collect()];
        starts.extend(warm.map(pack));
        for _ in 0..extra {
            let draw = |p: &Prior| p.mean + p.deviation * stream.normal();
            starts.push(self.priors.iter().map(draw).collect());
        }
        starts
    }

    /// The lowest end of the searches from `starts`; of equals the first, so that it does not depend on how ties fall.
    fn lowest(&self, starts: &[Vec<f64>], effort: Effort) -> Minimum {
        let ends = starts.iter().map(|start| self.descend(start, effort));
        let best = ends.reduce(|a, b| if b.value < a.value { b } else { a });
        best.unwrap_or_else(|| unreachable!("the mode is a start"))
    }

    /// The start with the lowest cost, of equals the first.
    fn lowest_start<'s>(&self, starts: &'s [Vec<f64>]) -> &'s [f64] {
        let cost = |start: &[f64]| self.look(start).map_or(f64::INFINITY, |look| look.cost);
        let lower = |a: &'s Vec<f64>, b: &'s Vec<f64>| if cost(b) < cost(a) { b } else { a };
        starts.iter().reduce(lower).map_or(&[], Vec::as_slice)
    }

    fn descend(&self, start: &[f64], effort: Effort) -> Minimum {
        let low: Vec<f64> = self.priors.iter().map(|p| p.low).collect();
        let high: Vec<f64> = self.priors.iter().map(|p| p.high).collect();
        let cost = |at: &[f64], gradient: &mut [f64]| {
            let Ok(look) = self.look(at) else { return f64::NAN };
            gradient.copy_from_slice(&look.gradient);
            look.cost
        };
        minimize(cost, start, &low, &high, effort)
    }

    /// Fails where the covariance matrix cannot be factored.
    fn look(&self, at: &[f64]) -> Result<Look> {
        let seen = self.looks.borrow().iter().find(|(x, _)| x == at).map(|(_, look)| look.clone());
        seen.unwrap_or_else(|| {
            let look = self.look_anew(at);
            self.looks.borrow_mut().push((at.to_vec(), look.clone()));
            look
        })
    }

    fn look_anew(&self, at: &[f64]) -> Result<Look> {
        let hyper = unpack(self.kernel, at);
        let Evidence { value, gradient, jitter } = evidence_of(self.data, &self.pairs, &hyper)?;
        let mut look = Look { cost: -value, gradient, jitter };
        for (i, prior) in self.priors.iter().enumerate() {
            let away = (at[i] - prior.mean) / prior.deviation;
            look.cost += 0.5 * away * away;
            look.gradient[i] = away / prior.deviation - look.gradient[i];
        }
        Ok(look)
    }

    fn conclude(&self, best: Minimum) -> Result<Fit> {
        let hyper = unpack(self.kernel, &best.x);
        let jitter = self.look(&best.x)?.jitter;
        let mut names = self.kernel.param_names();
        names.extend(["noise".to_string(), "mean".to_string()]);
        // A floor that the prior sets on purpose is no edge.
        let edge = |(x, p): (&f64, &Prior)| (*x <= p.low && p.low < p.mean) || *x >= p.high;
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

fn prior(role: ParamRole, dims: usize, expected: Priors) -> Prior {
    let lengths = expected.lengths;
    match role {
        ParamRole::Category if expected.categories.is_some() => {
            let Lengths { typical, deviation } = expected.categories.unwrap_or(lengths);
            Prior { mean: typical.ln(), deviation, low: -7.0, high: typical.ln() + 8.0 }
        }
        ParamRole::Lengthscale | ParamRole::Category => {
            let mean = lengths.typical.ln() + 0.5 * (dims as f64).ln();
            Prior { mean, deviation: lengths.deviation, low: -7.0, high: mean + 8.0 }
        }
        ParamRole::Variance => {
            let low = expected.variance.ln().max(-12.0);
            Prior { mean: 0.0, deviation: 1.0, low, high: 12.0 }
        }
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gp::Scale;

    const LENGTHS: Lengths = Lengths { typical: 0.25, deviation: 0.8 };

    fn noisy(rows: usize, steep: f64) -> Data {
        let (mut data, mut stream) = (Data::new(2, Scale::default()), Stream::new(3, 0));
        for _ in 0..rows {
            let x = [stream.uniform(), stream.uniform()];
            let y = (steep * x[0]).sin() + (steep * x[1] - 1.0).cos() + 0.2 * stream.normal();
            data.observe(&x, y, None).unwrap();
        }
        data
    }

    /// From a bad start too, and with few looks at all the rows.
    #[test]
    fn many_rows_are_fitted_as_well_as_with_more_looks() {
        let kernel = Kernel::matern52([1.0; 2]).scaled(1.0);
        for (steep, warm) in [(3.0, 0.01), (15.0, 30.0)] {
            let data = noisy(320, steep);
            let warm =
                Hyper { kernel: Kernel::matern52([warm; 2]).scaled(1.0), noise: 1.0, mean: 0.0 };
            let found =
                fit(&data, &kernel, LENGTHS, Some(&warm), 0, &mut Stream::new(1, 0)).unwrap();
            let search = Search::new(&data, &kernel, LENGTHS.into());
            let mode = search.priors.iter().map(|p| p.mean).collect();
            let best = search.lowest(&[mode, pack(&warm)], EXACT);
            assert!(found.log_posterior > -best.value - 0.02, "{found:?} {best:?}");
            assert!(found.converged && found.degraded().is_none(), "{found:?}");
        }
    }

    #[test]
    fn no_look_is_taken_twice() {
        let (data, kernel) = (noisy(20, 3.0), Kernel::matern52([1.0; 2]).scaled(1.0));
        let search = Search::new(&data, &kernel, LENGTHS.into());
        let mode: Vec<f64> = search.priors.iter().map(|p| p.mean).collect();
        search.conclude(search.descend(search.lowest_start(&[mode]), EXACT)).unwrap();
        let looks = search.looks.borrow();
        assert!(looks.iter().enumerate().all(|(i, (x, _))| looks[..i].iter().all(|l| l.0 != *x)));
    }
}
