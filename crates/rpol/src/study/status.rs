//! Where a study stands.

use super::calibration::Calibration;
use super::ledger::Account;
use super::study::Study;
use super::trial::{Trial, TrialState};
use crate::points::Points;
use crate::space::Params;
use indexmap::IndexMap;
use serde::Serialize;

/// Where a study stands.
#[derive(Debug, Clone, Serialize)]
pub struct Status {
    /// The study's name.
    pub name: String,
    /// Rounds opened so far.
    pub round: u64,
    /// Trials, history included.
    pub trials: u64,
    /// Trials still open.
    pub running: u64,
    /// Multipliers the next decision will use.
    pub penalties: Vec<f64>,
    /// One account a constraint.
    pub ledger: Vec<Account>,
    /// $\gamma$ of the objective's model, then of each constraint's; empty before the first ask.
    pub information_gain: Vec<f64>,
    /// How far the forecasts can be trusted: the objective's, then those of each constraint.
    pub calibration: Vec<Calibration>,
    /// The best trial that kept every constraint as observed.
    pub best: Option<Trial>,
    /// What to run now.
    pub incumbent: Option<Params>,
    /// Why the models should be trusted less, output by output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Study {
    /// The best feasible trial as observed; `None` while there is none. Ties go to the earlier one.
    #[must_use]
    pub fn best_trial(&self) -> Option<&Trial> {
        self.state.best_trial()
    }

    /// What to run now: of the settings tried, the one with the best expected objective among those the
    /// models hold feasible with a deviation to spare; else the best feasible observation; else the baseline.
    #[must_use]
    pub fn incumbent(&self) -> Option<Params> {
        let trial = self.surest().or_else(|| self.best_trial());
        let baseline = || self.spec.baseline.as_ref().map(|baseline| baseline.params.clone());
        trial.map(|trial| trial.params.clone()).or_else(baseline)
    }

    /// Of the settings tried, the one of best expected objective that the models hold feasible with a deviation to spare.
    fn surest(&self) -> Option<&Trial> {
        let mind = self.informed().ok().filter(|mind| mind.models.ready())?;
        let known = self.state.trials.iter().filter(|t| t.counts(0) && t.values[0].is_some());
        let known: Vec<&Trial> = known.collect();
        let rows: Vec<&[f64]> = known.iter().map(|trial| trial.x.as_slice()).collect();
        let points = Points::from_rows(self.spec.params.dims(), &rows);
        let outputs = mind.models.estimate_many(points.view());
        let (objective, costs) = outputs.split_first()?;
        let sure = |j: &usize| costs.iter().all(|(mean, dev)| mean[*j] + dev[*j] <= 0.0);
        let better = |a: usize, b: usize| if objective.0[b] > objective.0[a] { b } else { a };
        (0..known.len()).filter(sure).reduce(better).map(|j| known[j])
    }

    /// What the baseline measures, as far as that is known.
    #[must_use]
    pub fn baseline_metrics(&self) -> &IndexMap<String, f64> {
        &self.state.baseline
    }

    /// Where the study stands.
    #[must_use]
    pub fn status(&self) -> Status {
        let outputs = self.spec.outputs();
        let mind = self.mind();
        let gains = mind
            .as_ref()
            .ok()
            .filter(|mind| mind.models.ready())
            .map(|mind| (0..outputs.len()).map(|q| mind.gain(q)).collect());
        let failure = mind.err().map(|error| format!("no model: {error}"));
        let fitted = self.state.fitted.iter().flatten();
        let warning = |(metric, fitted): (&&str, &super::event::Fitted)| {
            fitted.degraded.as_ref().map(|why| format!("{metric}: {why}"))
        };
        Status {
            name: self.spec.name.clone(),
            round: self.state.round,
            trials: self.state.trials.len() as u64,
            running: self.state.trials.iter().filter(|t| t.state == TrialState::Running).count()
                as u64,
            penalties: self.penalties(),
            ledger: self.ledger(),
            information_gain: gains.unwrap_or_default(),
            calibration: self.calibration(),
            best: self.best_trial().cloned(),
            incumbent: self.incumbent(),
            warnings: outputs.iter().zip(fitted).filter_map(warning).chain(failure).collect(),
        }
    }
}
