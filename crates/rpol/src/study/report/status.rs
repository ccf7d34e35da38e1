//! Where a study stands.

use super::calibration::Calibration;
use super::ledger::Account;
use super::recommendation::Recommendation;
use crate::space::Params;
use crate::study::compact::merge::Merged;
use crate::study::log::trial::{Trial, TrialState};
use crate::study::study::Study;
use indexmap::IndexMap;
use serde::Serialize;

/// Where a study stands.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
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
    /// $\gamma$ of the objective's model at the last search, then of each constraint's; empty before the first ask.
    pub information_gain: Vec<f64>,
    /// How far the forecasts can be trusted: the objective's, then those of each constraint.
    pub calibration: Vec<Calibration>,
    /// The best trial that kept every constraint as observed.
    pub best: Option<Trial>,
    /// What to run now, and what to expect of it; absent before anything was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<Recommendation>,
    /// Its setting; the baseline's before anything was measured.
    pub incumbent: Option<Params>,
    /// What was merged to keep the settings of the models few, and how wrong that can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
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

    /// What the baseline measures, as far as that is known.
    #[must_use]
    pub fn baseline_metrics(&self) -> &IndexMap<String, f64> {
        &self.state.baseline
    }

    fn running(&self) -> u64 {
        let running = |trial: &&Trial| trial.state == TrialState::Running;
        self.state.uncompacted().iter().filter(running).count() as u64
    }

    /// Where the study stands.
    #[must_use]
    pub fn status(&self) -> Status {
        let outputs = self.spec.outputs();
        let engine = self.engine();
        let gains = engine.as_ref().ok().filter(|engine| engine.models.ready()).map(|engine| {
            (0..outputs.len()).map(|q| engine.context(&self.state).gain(q)).collect()
        });
        let failure = engine.err().map(|error| format!("no model: {error}"));
        let unmeasured = self.told_anything().then(|| self.unmeasured_in_words()).flatten();
        let unmeasured =
            unmeasured.map(|what| format!("{what}: nothing is recommended before it is"));
        let fitted = self.state.fitted.iter().flatten();
        let warning = |(metric, fitted): (&&str, &crate::study::log::event::Fitted)| {
            fitted.degraded.as_ref().map(|why| format!("{metric}: {why}"))
        };
        // Why there is no model is among the warnings.
        let recommendation = self.recommendation().ok().flatten();
        let recommended = recommendation.as_ref().map(|r| r.outlook.params.clone());
        let baseline = self.spec.baseline.as_ref().map(|b| b.params.clone());
        Status {
            name: self.spec.name.clone(),
            round: self.state.round,
            trials: self.state.trials.count(),
            running: self.running(),
            penalties: self.penalties(),
            // Why there is no model is among the warnings.
            ledger: self.ledger_by_model().unwrap_or_else(|_| self.ledger()),
            information_gain: gains.unwrap_or_default(),
            calibration: self.calibration(),
            best: self.best_trial().cloned(),
            incumbent: recommended.or(baseline),
            recommendation,
            merged: self.state.compacted.merged,
            warnings: outputs
                .iter()
                .zip(fitted)
                .filter_map(warning)
                .chain(failure)
                .chain(unmeasured)
                .collect(),
        }
    }
}
