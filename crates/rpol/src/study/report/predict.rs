//! What the models believe of settings.

use crate::error::Result;
use crate::points::Points;
use crate::policy::score::Estimate;
use crate::random::normal_cdf;
use crate::space::Params;
use crate::study::study::Study;
use serde::Serialize;

/// A mean and a standard deviation, of the true value rather than of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Belief {
    /// $\mu$.
    pub mean: f64,
    /// $\sigma$.
    pub deviation: f64,
}

impl Belief {
    /// Whether a $g$ of this belief is at most 0 with `deviations` to spare.
    #[must_use]
    pub fn is_kept(self, deviations: f64) -> bool {
        self.mean + deviations * self.deviation <= 0.0
    }
}

/// What is believed of one setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Prediction {
    /// The objective, in its own unit and sign.
    pub objective: Belief,
    /// Every $g_i$, in the unit of its metric: feasible iff $g_i \le 0$.
    pub constraints: Vec<Belief>,
    /// The probability that the mean of each constraint's metric keeps the limit.
    #[serde(skip)]
    pub within: Vec<f64>,
}

impl Prediction {
    /// Whether every constraint is believed to be kept, each with `deviations` to spare.
    #[must_use]
    pub fn is_feasible(&self, deviations: f64) -> bool {
        self.constraints.iter().all(|g| g.is_kept(deviations))
    }
}

impl Study {
    /// What the models believe of settings, with everything told so far; `None` before the first ask, and for a policy
    /// without a model.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     constraints = ["load <= 0.7"]
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for i in 0..12 {
    ///     let x = f64::from(i) / 11.0;
    ///     study.add([("x".into(), x.into())].into_iter().collect(), [("cost", 9.0 - x), ("load", x)]).unwrap();
    /// }
    /// study.ask().unwrap();
    /// let middle = [("x".into(), 0.5.into())].into_iter().collect();
    /// let at = &study.predict(&[middle]).unwrap().unwrap()[0];
    /// assert!((at.objective.mean - 8.5).abs() < 0.1 && (at.constraints[0].mean + 0.2).abs() < 0.1);
    /// assert!(at.within[0] > 0.99);
    /// ```
    pub fn predict(&self, settings: &[Params]) -> Result<Option<Vec<Prediction>>> {
        let points = settings.iter().map(|params| self.spec.params.encode(params));
        let points = points.collect::<Result<Vec<_>>>()?;
        let informed = self.informed()?;
        let context = informed.context(&self.state);
        if !context.models.ready() {
            return Ok(None);
        }
        let points = Points::from_rows(self.spec.params.dims(), &points);
        let outputs = context.models.estimate_many(points.view());
        let at =
            |q: usize, j: usize| Estimate { mean: outputs[q].0[j], deviation: outputs[q].1[j] };
        let belief = |q: usize, j: usize| {
            let Estimate { mean, deviation } = context.models.own(q, at(q, j));
            Belief { mean, deviation }
        };
        let limits = 1..=self.spec.constraints.len();
        let direction = self.spec.objective.direction();
        let prediction = |j: usize| {
            let maximised = belief(0, j);
            let objective = Belief { mean: direction.signed(maximised.mean), ..maximised };
            Prediction {
                objective,
                constraints: limits.clone().map(|q| belief(q, j)).collect(),
                // A transform leaves a limit at 0.
                within: limits.clone().map(|q| below_zero(at(q, j))).collect(),
            }
        };
        Ok(Some((0..settings.len()).map(prediction).collect()))
    }
}

/// The probability that a normal variable is at most 0.
fn below_zero(at: Estimate) -> f64 {
    match at.deviation > 0.0 {
        true => normal_cdf(-at.mean / at.deviation),
        false => f64::from(at.mean <= 0.0),
    }
}
