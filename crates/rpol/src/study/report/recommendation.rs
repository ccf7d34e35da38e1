//! What to run now, and what to expect of it.

use crate::constraint::{Constraint, Direction};
use crate::error::Result;
use crate::space::Params;
use crate::study::acquire::breakdown::Breakdown;
use crate::study::acquire::outlook;
use crate::study::acquire::recommend::Prospect;
use crate::study::log::trial::{Trial, TrialState};
use crate::study::study::Study;
use serde::Serialize;

/// A setting to run now, what speaks for it, and what to expect of it. Written out it is a text for people.
///
/// ```
/// use rpol::study::{Spec, Standing, Study};
/// let mut study = Study::create(Spec::from_toml(r#"
///     name = "demo"
///     objective = "minimize cost"
///     constraints = ["p99_ms <= 60"]
///     [params]
///     x = { type = "float", low = 0, high = 1 }
/// "#)?)?;
/// assert!(study.recommendation()?.is_none());
/// for _ in 0..10 {
///     let trial = study.ask()?;
///     let x = trial.params["x"].as_f64().unwrap_or(0.0);
///     study.tell(trial.number, [("cost", 1.0 - x), ("p99_ms", 80.0 * x)])?;
/// }
/// let recommended = study.recommendation()?.expect("something was measured");
/// // Only what was measured is recommended.
/// assert!(study.trials().iter().any(|trial| trial.params == recommended.outlook.params));
/// assert!(recommended.outlook.mean_within >= 0.9 || recommended.standing == Standing::Closest);
/// # Ok::<(), rpol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Recommendation {
    /// What speaks for it.
    pub standing: Standing,
    /// The confidence that was asked for.
    pub confidence: f64,
    /// The setting, and what to expect of it.
    #[serde(flatten)]
    pub outlook: Outlook,
}

/// A setting that was measured, and what to expect of it from now on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outlook {
    /// The setting.
    pub params: Params,
    /// How often it was measured.
    pub measurements: u64,
    /// The probability that the means of all metrics keep their limits.
    pub mean_within: f64,
    /// The probability that the next measurement keeps every limit.
    pub next_within: f64,
    /// What to expect of the objective; absent where there is no model yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Expectation>,
    /// What to expect of every limit.
    pub limits: Vec<LimitOutlook>,
}

/// What speaks for a recommended setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Standing {
    /// Its own measurements, two or more: its means keep all limits with the confidence asked for.
    Confirmed,
    /// The models are as sure, but it was measured only once: it is early.
    Early,
    /// It is the baseline, and nothing better reaches the confidence asked for.
    Baseline,
    /// No setting reaches the confidence asked for and there is no baseline: this comes closest.
    Closest,
}

/// What to expect of a metric at a setting, in the metric's own unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Expectation {
    /// The metric's name.
    pub metric: String,
    /// What many measurements average to.
    pub mean: f64,
    /// The standard deviation of that, by what is known so far.
    pub deviation: f64,
    /// The standard deviation of one measurement around it.
    pub noise: f64,
}

/// What to expect of one limit at a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LimitOutlook {
    /// The limit, as written.
    pub constraint: String,
    /// What to expect of its metric; absent where there is no model yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
    /// The probability that the mean keeps the limit.
    pub mean_within: f64,
    /// The probability that the next measurement does.
    pub next_within: f64,
}

impl Study {
    /// What to run now; `None` before anything was measured, and while one of the metrics it rests on
    /// [never was](Self::unmeasured).
    ///
    /// Of the settings that were measured, the one with the best expected objective among those whose means keep all limits
    /// with the [confidence](crate::study::Confidence) asked for; with a baseline the next measurement must keep the promised
    /// risk too. Before the horizon ends such a setting is measured again, and when it has ended only one that was confirmed
    /// so is recommended; until then one that was measured once may be, and its standing says that this is early. Where there is none, the baseline; without a baseline the setting that comes closest.
    pub fn recommendation(&self) -> Result<Option<Recommendation>> {
        if !self.unmeasured().is_empty() {
            return Ok(None);
        }
        let informed = self.informed()?;
        let context = informed.context(&self.state);
        if !context.models.ready() {
            return Ok(self.without_model());
        }
        let mut prospects = context.prospects();
        // What neighbours say of a setting is no measurement of it.
        prospects.retain(|prospect| prospect.measured > 0);
        let confidence = self.spec.confidence.level();
        let home = context.baseline_point();
        let is_home = |p: &Prospect| Some(&p.x) == home.as_ref();
        let ended = self.spec.horizon.is_some_and(|horizon| self.state.round >= horizon);
        let best = |keep: &dyn Fn(&&Prospect) -> bool| {
            prospects.iter().filter(keep).reduce(|a, b| if b.worth > a.worth { b } else { a })
        };
        let promising = |p: &&Prospect| match ended {
            true => p.is_confirmed(confidence),
            false => p.is_likely(confidence),
        };
        let standing = |p: &Prospect| match p.is_confirmed(confidence) {
            true => Standing::Confirmed,
            false => Standing::Early,
        };
        let best = best(&promising).map(|p| (p, standing(p)));
        let baseline = || prospects.iter().find(|p| is_home(p)).map(|p| (p, Standing::Baseline));
        let closest = || {
            let nearer = |a: &Prospect, b: &Prospect| b.mean_within() > a.mean_within();
            let closest = prospects.iter().reduce(|a, b| if nearer(a, b) { b } else { a });
            closest.map(|p| (p, Standing::Closest))
        };
        let found = best.or_else(baseline).or_else(closest);
        let recommended = found.map(|(prospect, standing)| Recommendation {
            standing: if is_home(prospect) { Standing::Baseline } else { standing },
            confidence,
            outlook: self.told(prospect),
        });
        Ok(recommended.or_else(|| self.without_model()))
    }

    /// The setting of [`recommendation`](Self::recommendation); before anything was measured the baseline, where there is one.
    pub fn incumbent(&self) -> Result<Option<Params>> {
        let recommended = self.recommendation()?.map(|recommended| recommended.outlook.params);
        Ok(recommended.or_else(|| self.spec.baseline.as_ref().map(|b| b.params.clone())))
    }

    /// Metrics of the objective and the limits of which no trial has ever told a value.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     constraints = ["p99_ms <= 60"]
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#)?)?;
    /// for _ in 0..6 {
    ///     let trial = study.ask()?;
    ///     study.tell(trial.number, [("p99_ms", 50.0)])?;
    /// }
    /// assert_eq!(study.unmeasured(), ["cost"]);
    /// assert!(study.recommendation()?.is_none());
    /// # Ok::<(), rpol::Error>(())
    /// ```
    #[must_use]
    pub fn unmeasured(&self) -> Vec<&str> {
        let counts = |trial: &&Trial| trial.state != TrialState::Abandoned;
        let told = |metric: &str| {
            self.trials().iter().filter(counts).any(|trial| trial.metrics.contains_key(metric))
        };
        let summed = |q: usize| self.state.compacted.table.of(q).any(|(_, stats)| stats.count > 0);
        let outputs = self.spec.outputs().into_iter().enumerate();
        outputs
            .filter(|(q, metric)| !told(metric) && !summed(*q))
            .map(|(_, metric)| metric)
            .collect()
    }

    /// Why nothing can be recommended, where a metric [lacks](Self::unmeasured).
    #[must_use]
    pub fn unmeasured_in_words(&self) -> Option<String> {
        let metrics = self.unmeasured();
        match metrics.is_empty() {
            true => None,
            false if !self.told_anything() => Some("nothing was measured".into()),
            false => {
                let were = if metrics.len() == 1 { "was" } else { "were" };
                Some(format!("{} {were} never measured", metrics.join(" and ")))
            }
        }
    }

    pub(in crate::study) fn told_anything(&self) -> bool {
        self.trials().iter().any(|trial| !trial.metrics.is_empty())
    }

    /// What to expect of every setting that was measured, in the order they were first tried; of the last 256 where there are
    /// more. Empty while there is no model.
    pub fn outlooks(&self) -> Result<Vec<Outlook>> {
        let informed = self.informed()?;
        let context = informed.context(&self.state);
        if !context.models.ready() {
            return Ok(Vec::new());
        }
        Ok(context.prospects().iter().map(|prospect| self.told(prospect)).collect())
    }

    fn told(&self, prospect: &Prospect) -> Outlook {
        let direction = self.spec.objective.direction();
        let objective = expectation(self.spec.objective.metric(), &prospect.outlooks[0], |mean| {
            direction.signed(mean)
        });
        let limits = self.spec.constraints.iter().zip(&prospect.outlooks[1..]);
        let breakdown = prospect.breakdown();
        // As it was measured: on a logarithmic scale the way back may be a rounding off.
        let tried = self.trials().iter().find(|trial| trial.x == prospect.x);
        let decoded = || self.spec.params.decode(&prospect.x);
        Outlook {
            params: tried.map_or_else(decoded, |trial| trial.params.clone()),
            measurements: prospect.measured,
            mean_within: prospect.mean_within(),
            next_within: prospect.next_within(),
            objective: Some(objective),
            limits: limits.map(|(limit, outlook)| self.limit(limit, outlook, breakdown)).collect(),
        }
    }

    fn limit(
        &self,
        constraint: &Constraint,
        outlook: &outlook::Outlook,
        breakdown: Breakdown,
    ) -> LimitOutlook {
        let baseline = self.state.baseline.get(constraint.metric()).copied();
        let expected = |limit: f64| {
            expectation(constraint.metric(), outlook, |excess| match constraint.direction() {
                Direction::AtMost => limit + excess,
                Direction::AtLeast => limit - excess,
            })
        };
        LimitOutlook {
            constraint: constraint.to_string(),
            expected: constraint.threshold().at(baseline).map(expected),
            mean_within: breakdown.mean(outlook.mean_within()),
            next_within: breakdown.next(outlook.next_within()),
        }
    }

    /// Without a model: the best trial that kept every limit, by Laplace's rule of succession; else the baseline, once it was
    /// measured.
    fn without_model(&self) -> Option<Recommendation> {
        let home = self.spec.baseline.as_ref();
        let is_home = |trial: &&Trial| home.is_some_and(|home| home.params == trial.params);
        let measured = |trial: &&Trial| trial.is_feasible().is_some();
        let baseline = || self.trials().iter().filter(measured).find(is_home);
        let trial = self.best_trial().or_else(baseline)?;
        let standing = if is_home(&trial) { Standing::Baseline } else { Standing::Early };
        let same = || self.trials().iter().filter(|other| other.x == trial.x).filter(measured);
        let count = same().count() as u64;
        let kept = same().filter(|trial| trial.is_feasible() == Some(true)).count() as f64;
        let share = (kept + 1.0) / (count as f64 + 2.0);
        let limit = |constraint: &Constraint| LimitOutlook {
            constraint: constraint.to_string(),
            expected: None,
            mean_within: share,
            next_within: share,
        };
        let outlook = Outlook {
            params: trial.params.clone(),
            measurements: count,
            mean_within: share,
            next_within: share,
            objective: None,
            limits: self.spec.constraints.iter().map(limit).collect(),
        };
        Some(Recommendation { standing, confidence: self.spec.confidence.level(), outlook })
    }
}

/// What to expect of a metric whose output this is; `own` turns the output's mean into the metric's.
fn expectation(metric: &str, outlook: &outlook::Outlook, own: impl Fn(f64) -> f64) -> Expectation {
    let (expected, noise) = outlook.expected();
    let mean = own(expected.mean).clamp(f64::MIN, f64::MAX);
    let metric = metric.to_string();
    Expectation { metric, mean, deviation: expected.deviation, noise }
}
