//! How far forecasts can be trusted.

use crate::study::study::Study;
use serde::Serialize;

/// How far the forecasts of an output can be trusted.
///
/// Counted are those made since the last change by a model of at least eight values, each against the value that came.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Calibration {
    /// The metric.
    pub metric: String,
    /// Forecasts whose value has come.
    pub answered: u64,
    /// How many of the values lay in the central 90 % interval.
    pub within: u64,
    /// How much wider the intervals have to be to hold that: from 1 to 3, by the last sixty.
    pub stretch: f64,
}

impl Study {
    /// How far the forecasts can be trusted: the objective's, then those of each constraint.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "maximize reward"
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for _ in 0..12 {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("reward", trial.params["x"].as_f64().unwrap())]).unwrap();
    /// }
    /// let reward = &study.calibration()[0];
    /// // The first eight values only teach.
    /// assert_eq!((reward.answered, reward.within <= 4), (4, true));
    /// ```
    #[must_use]
    pub fn calibration(&self) -> Vec<Calibration> {
        let of = |(q, metric): (usize, &str)| {
            let errors = self.state.forecast_errors[q].closed().errors;
            Calibration {
                metric: metric.into(),
                answered: errors.answered,
                within: errors.within,
                stretch: errors.stretch(),
            }
        };
        self.spec.outputs().into_iter().enumerate().map(of).collect()
    }
}
