//! Constrained pairs drawn from the RKHS, with the optimum found.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::function::positive;
use super::polish::{Pair, maximise};
use super::{KernelKind, RkhsError, RkhsFunction};
use crate::problem::{Constraint, Optimum, Parameter, Problem};

const ATTEMPTS: usize = 1000;
const SURVEY: usize = 2048;
const ACTIVE: f64 = 1e-6;

/// What to draw. Both functions live on $\[0,1\]^d$ and share kernel and lengthscale.
#[derive(Clone, Debug, PartialEq)]
pub struct RkhsSpec {
    /// The kernel.
    pub kind: KernelKind,
    /// Its lengthscale $u$.
    pub lengthscale: f64,
    /// Coordinates, 1 to 6 are tested.
    pub dims: usize,
    /// Centres of each function.
    pub centres: usize,
    /// $\lVert f\rVert_k = B_f$.
    pub norm_f: f64,
    /// $\lVert g\rVert_k = B_g$.
    pub norm_g: f64,
    /// Share of the cube that must be feasible; a share of the survey's points, so its accuracy is about 1 %.
    pub feasible: RangeInclusive<f64>,
    /// Whether $g$ must be active at the optimum.
    pub binding: bool,
}

impl RkhsSpec {
    /// Unit norms, 10 centres a coordinate, 5 to 50 % feasible, the constraint binding.
    pub fn new(kind: KernelKind, lengthscale: f64, dims: usize) -> Self {
        Self {
            kind,
            lengthscale,
            dims,
            centres: 10 * dims,
            norm_f: 1.0,
            norm_g: 1.0,
            feasible: 0.05..=0.5,
            binding: true,
        }
    }
}

/// A drawn pair: maximise $f$ subject to $g \le 0$ on $\[0,1\]^d$, both of known norm.
///
/// ```
/// use rpol_lab::problem::{KernelKind, RkhsProblem, RkhsSpec};
/// let mut golden = (1..).map(|i: u32| f64::from(i) * 0.618_033_988_749_895 % 1.0);
/// let spec = RkhsSpec::new(KernelKind::SquaredExponential, 0.2, 1);
/// let pair = RkhsProblem::draw(|| golden.next().expect("endless"), &spec)?;
/// assert!(pair.g.value(&pair.optimum.x) <= 1e-8);
/// assert!((pair.f.norm() - spec.norm_f).abs() < 1e-9);
/// # Ok::<(), rpol_lab::problem::RkhsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RkhsProblem {
    /// The objective, to be maximised.
    pub f: RkhsFunction,
    /// The constraint $g \le 0$.
    pub g: RkhsFunction,
    /// Found by a survey of the cube, then an augmented Lagrangian from spread points and every centre: a heuristic.
    /// Of 192 draws in 3 to 6 dimensions an independent search beat it once, in 6.
    pub optimum: Optimum,
    /// Share of the survey's points that are feasible.
    pub feasible: f64,
}

impl RkhsProblem {
    /// Draws pairs until one is as `spec` says.
    ///
    /// `uniform` gives numbers uniform on $\[0,1)$; the result is a function of them alone.
    pub fn draw(mut uniform: impl FnMut() -> f64, spec: &RkhsSpec) -> Result<Self, RkhsError> {
        positive("dims", spec.dims as f64)?;
        for _ in 0..ATTEMPTS {
            let f = function(&mut uniform, spec, spec.norm_f)?;
            let g = function(&mut uniform, spec, spec.norm_g)?;
            if let Some(problem) = Self::solve(f, g, spec) {
                return Ok(problem);
            }
        }
        Err(RkhsError::NoDraw { attempts: ATTEMPTS })
    }

    fn solve(f: RkhsFunction, g: RkhsFunction, spec: &RkhsSpec) -> Option<Self> {
        let survey = halton(SURVEY * spec.dims, spec.dims);
        let feasible =
            survey.iter().filter(|x| g.value(x) <= 0.0).count() as f64 / survey.len() as f64;
        if feasible == 0.0 || !spec.feasible.contains(&feasible) {
            return None;
        }
        let x = maximise(&Pair { f: &f, g: &g }, survey)?;
        let active = if g.value(&x).abs() <= ACTIVE * spec.norm_g { vec![0] } else { vec![] };
        if spec.binding && active.is_empty() {
            return None;
        }
        let optimum = Optimum { value: f.value(&x), x, active };
        Some(Self { f, g, optimum, feasible })
    }

    /// The pair as a [`Problem`] of the given name.
    pub fn problem(&self, name: impl Into<String>) -> Problem {
        let (f, g) = (self.f.clone(), self.g.clone());
        Problem {
            name: name.into(),
            source: format!("rpol: drawn from the RKHS, norms {:.6} and {:.6}", f.norm(), g.norm()),
            domain: Parameter::cube(f.dims(), 0.0, 1.0),
            objective: Arc::new(move |x| f.value(x)),
            constraints: vec![Constraint::new("g", move |x| g.value(x))],
            optimum: self.optimum.clone(),
        }
    }
}

fn function(
    uniform: &mut impl FnMut() -> f64,
    spec: &RkhsSpec,
    norm: f64,
) -> Result<RkhsFunction, RkhsError> {
    let centres = (0..spec.centres).map(|_| (0..spec.dims).map(|_| uniform()).collect()).collect();
    let weights = (0..spec.centres).map(|_| 2.0 * uniform() - 1.0).collect();
    RkhsFunction::new(spec.kind, spec.lengthscale, centres, weights, norm)
}

/// The first `count` points of the Halton sequence.
fn halton(count: usize, dims: usize) -> Vec<Vec<f64>> {
    (1..=count)
        .map(|index| {
            PRIMES.iter().cycle().take(dims).map(|&base| radical_inverse(index, base)).collect()
        })
        .collect()
}

const PRIMES: [usize; 10] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];

/// The digits of `index` in `base`, mirrored at the point (Halton 1960).
fn radical_inverse(mut index: usize, base: usize) -> f64 {
    let (mut value, mut unit) = (0.0, 1.0);
    while index > 0 {
        unit /= base as f64;
        value += unit * (index % base) as f64;
        index /= base;
    }
    value
}
