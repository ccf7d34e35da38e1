//! `"p99_ms <= 250"` -> g, feasible iff $g \le 0$, in the user's own units.

mod parse;
mod text;
mod threshold;
mod tokens;

pub use threshold::{Direction, Threshold};

use crate::{Error, Finite, Result, name};

/// The metric of a limit that is written as if something were subtracted from it: `p99-10 <= 60`.
pub(crate) fn subtraction(text: &str) -> Option<String> {
    let is_word = |placed: &tokens::Placed| !placed.text.starts_with(['\'', '"']);
    tokens::tokens(text).ok()?.into_iter().filter(is_word).find_map(|placed| match placed.token {
        tokens::Token::Name(name) if tokens::looks_subtracted(&name) => Some(name),
        _ => None,
    })
}

/// A limit on one metric.
///
/// Written `"p99_ms <= 250"`, `"qps >= 0.95 * baseline"` or `"250 >= 'p99 ms'"`; with a budget or a
/// bound it is a table: `{"expression": "p99_ms <= 250", "budget": 12.5, "bound": 1e6}`.
///
/// ```
/// use rpol::Constraint;
/// let limit: Constraint = "qps >= 0.95 * baseline".parse().unwrap();
/// assert_eq!(limit.g(900.0, Some(1000.0)), Some(50.0), "50 short, so not feasible");
/// assert_eq!(limit.g(900.0, None), None);
/// assert_eq!(limit.to_string().parse::<Constraint>().unwrap(), limit);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    metric: String,
    direction: Direction,
    threshold: Threshold,
    budget: Option<f64>,
    bound: Option<f64>,
}

impl Constraint {
    /// A limit without budget or bound.
    pub fn new(metric: &str, direction: Direction, threshold: Threshold) -> Result<Self> {
        if let Some(fault) = name::fault(metric) {
            return Err(Error::spec("constraint.metric", fault));
        }
        let number = number("constraint.threshold", threshold.number())?;
        let threshold = match threshold {
            Threshold::Fixed(_) => Threshold::Fixed(number),
            Threshold::TimesBaseline(_) => Threshold::TimesBaseline(number),
        };
        Ok(Self { metric: metric.into(), direction, threshold, budget: None, bound: None })
    }

    /// The same with a total violation allowed, in the metric's units.
    ///
    /// ```
    /// use rpol::Constraint;
    /// let limit: Constraint = "p99_ms <= 250".parse().unwrap();
    /// assert_eq!(limit.clone().with_budget(12.5).unwrap().budget(), Some(12.5));
    /// assert!(limit.with_budget(-1.0).is_err());
    /// ```
    pub fn with_budget(mut self, budget: f64) -> Result<Self> {
        let path = "constraint.budget";
        let budget = number(path, budget)?;
        if budget < 0.0 {
            return Err(Error::spec(path, format!("{budget:?} is negative: give 0 or more")));
        }
        self.budget = Some(budget);
        Ok(self)
    }

    /// The same with this budget, or with none.
    pub(crate) fn budgeted(&self, budget: Option<f64>) -> Result<Self> {
        let without = Self { budget: None, ..self.clone() };
        budget.map_or(Ok(without.clone()), |budget| without.with_budget(budget))
    }

    /// The same with the largest absolute value of the metric that is believable.
    ///
    /// ```
    /// use rpol::Constraint;
    /// let limit = "p99_ms <= 250".parse::<Constraint>().unwrap().with_bound(1e6).unwrap();
    /// assert!(limit.admit(999.0).is_ok());
    /// assert_eq!(limit.admit(1e7).unwrap_err().kind(), "OutOfBounds");
    /// ```
    pub fn with_bound(mut self, bound: f64) -> Result<Self> {
        let path = "constraint.bound";
        let bound = number(path, bound)?;
        if bound <= 0.0 {
            return Err(Error::spec(path, format!("{bound:?} is not positive: raise it above 0")));
        }
        if let Threshold::Fixed(threshold) = self.threshold
            && threshold.abs() > bound
        {
            let problem =
                format!("{bound:?} is below the threshold {threshold:?}: raise it above that");
            return Err(Error::spec(path, problem));
        }
        self.bound = Some(bound);
        Ok(self)
    }

    /// The metric it limits.
    #[must_use]
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// Which side of the threshold is allowed.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// What the metric is held against.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// Total violation allowed, in the metric's units.
    #[must_use]
    pub fn budget(&self) -> Option<f64> {
        self.budget
    }

    /// Largest absolute value of the metric that is believable.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.bound
    }

    /// How far `value` is beyond the threshold, in the metric's units: feasible iff $g \le 0$.
    ///
    /// metric - threshold for `<=`, threshold - metric for `>=`. None, so unknown and never
    /// feasible, while the baseline is not known or when a number is not finite. A difference
    /// beyond the range of `f64` is its largest number.
    #[must_use]
    pub fn g(&self, value: f64, baseline: Option<f64>) -> Option<f64> {
        let finite = |number: &f64| number.is_finite();
        let threshold = saturated(self.threshold.at(baseline.filter(finite))?);
        let value = Some(value).filter(finite)?;
        Some(saturated(match self.direction {
            Direction::AtMost => value - threshold,
            Direction::AtLeast => threshold - value,
        }))
    }

    /// Checks a measured value of the metric: finite and not beyond the bound.
    pub fn admit(&self, value: f64) -> Result<Finite> {
        let field = name::path("metrics", &self.metric);
        let checked = Finite::new(&field, value)?;
        match self.bound {
            Some(bound) if value.abs() > bound => {
                Err(Error::OutOfBounds { field, value, low: -bound, high: bound })
            }
            _ => Ok(checked),
        }
    }
}

fn saturated(number: f64) -> f64 {
    // The sum turns -0.0 into 0.0.
    number.clamp(f64::MIN, f64::MAX) + 0.0
}

fn number(path: &str, value: f64) -> Result<f64> {
    let remedy = || Error::spec(path, format!("{value} is not finite: give a finite number"));
    Finite::new(path, value).map(Finite::get).map_err(|_| remedy())
}
