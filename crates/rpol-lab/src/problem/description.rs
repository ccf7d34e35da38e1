//! What a problem is: data, and the functions it is made of.

use std::fmt;
use std::sync::Arc;

/// A real function of a point; shared, so that a [`Problem`] clones cheaply and crosses threads.
pub type Function = Arc<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// One coordinate of the domain, `low <= x <= high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the source, or `x1`, `x2`, ...
    pub name: String,
    /// Least value, allowed.
    pub low: f64,
    /// Greatest value, allowed.
    pub high: f64,
}

impl Parameter {
    /// A named interval.
    pub fn new(name: impl Into<String>, low: f64, high: f64) -> Self {
        Self { name: name.into(), low, high }
    }

    /// Parameters `x1` to `x{dims}`, each on `[low, high]`.
    pub fn cube(dims: usize, low: f64, high: f64) -> Vec<Self> {
        (1..=dims).map(|i| Self::new(format!("x{i}"), low, high)).collect()
    }

    /// Length of the interval.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// One constraint $g(x) \le 0$.
#[derive(Clone)]
pub struct Constraint {
    /// What is limited.
    pub name: String,
    /// $g$, negative inside the feasible set.
    pub g: Function,
}

impl Constraint {
    /// A named constraint.
    pub fn new(name: impl Into<String>, g: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Self {
        Self { name: name.into(), g: Arc::new(g) }
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} <= 0", self.name)
    }
}

/// The continuous optimum $x^\star$ and $f^\star = f(x^\star)$.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// One maximiser; where the problem has several, documentation says so.
    pub x: Vec<f64>,
    /// $f^\star$.
    pub value: f64,
    /// Indices of the constraints with $g_i(x^\star) = 0$, ascending.
    pub active: Vec<usize>,
}

/// Maximise $f(x)$ over a box subject to $g_i(x) \le 0$, with the optimum known.
///
/// ```
/// for p in rpol_lab::problem::all() {
///     let best = &p.optimum;
///     assert!(p.violation(&best.x) < 1e-6, "{p:?}");
///     assert!((p.f(&best.x) - best.value).abs() <= 1e-6 * best.value.abs().max(1.0), "{p:?}");
/// }
/// ```
#[derive(Clone)]
pub struct Problem {
    /// Unique in [`all`](super::all).
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// The box $\mathcal X$.
    pub domain: Vec<Parameter>,
    /// $f$, to be maximised.
    pub objective: Function,
    /// The $g_i$.
    pub constraints: Vec<Constraint>,
    /// The best feasible point.
    pub optimum: Optimum,
}

impl Problem {
    /// Number of coordinates.
    pub fn dims(&self) -> usize {
        self.domain.len()
    }

    /// $f(x)$.
    pub fn f(&self, x: &[f64]) -> f64 {
        (self.objective)(x)
    }

    /// $g(x)$, one value a constraint.
    pub fn g(&self, x: &[f64]) -> Vec<f64> {
        self.constraints.iter().map(|c| (c.g)(x)).collect()
    }

    /// $\sum_i [g_i(x)]^+$, zero exactly on the feasible set.
    pub fn violation(&self, x: &[f64]) -> f64 {
        self.constraints.iter().map(|c| (c.g)(x).max(0.0)).sum()
    }

    /// Whether every $g_i(x) \le 0$.
    pub fn is_feasible(&self, x: &[f64]) -> bool {
        self.constraints.iter().all(|c| (c.g)(x) <= 0.0)
    }

    /// $f^\star - f(x)$: negative only at an infeasible point.
    pub fn regret(&self, x: &[f64]) -> f64 {
        self.optimum.value - self.f(x)
    }

    /// The point at `unit` in $\[0,1\]^d$, scaled to the domain.
    pub fn from_unit(&self, unit: &[f64]) -> Vec<f64> {
        self.domain.iter().zip(unit).map(|(p, u)| p.low + u * p.width()).collect()
    }

    /// The same problem in other units: the domain stretched by one factor, $f$ and every $g_i$ multiplied by others.
    ///
    /// ```
    /// let problem = rpol_lab::problem::by_name("gardner1").unwrap();
    /// let x = [1.5, 4.0];
    /// let scaled = problem.rescaled(8.0, 0.5, 4.0);
    /// assert_eq!(scaled.f(&x.map(|x| 8.0 * x)), 0.5 * problem.f(&x));
    /// assert_eq!(scaled.optimum.value, 0.5 * problem.optimum.value);
    /// ```
    ///
    /// # Panics
    /// Unless every factor is above 0: another sign would turn the problem around.
    pub fn rescaled(&self, domain: f64, f: f64, g: f64) -> Self {
        assert!(domain > 0.0 && f > 0.0 && g > 0.0, "factors above 0, not {domain}, {f}, {g}");
        let scaled = |function: &Function, by: f64| -> Function {
            let function = Arc::clone(function);
            Arc::new(move |x| by * function(&x.iter().map(|x| x / domain).collect::<Vec<f64>>()))
        };
        let parameter = |p: &Parameter| Parameter::new(&p.name, domain * p.low, domain * p.high);
        let constraint = |c: &Constraint| Constraint { name: c.name.clone(), g: scaled(&c.g, g) };
        Self {
            name: self.name.clone(),
            source: self.source.clone(),
            domain: self.domain.iter().map(parameter).collect(),
            objective: scaled(&self.objective, f),
            constraints: self.constraints.iter().map(constraint).collect(),
            optimum: Optimum {
                x: self.optimum.x.iter().map(|x| domain * x).collect(),
                value: f * self.optimum.value,
                active: self.optimum.active.clone(),
            },
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Problem")
            .field("name", &self.name)
            .field("domain", &self.domain)
            .field("constraints", &self.constraints)
            .field("optimum", &self.optimum)
            .finish_non_exhaustive()
    }
}
