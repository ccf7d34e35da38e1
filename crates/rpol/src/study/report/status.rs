//! Where a study stands.

use super::calibration::Calibration;
use super::ledger::Account;
use crate::acquisition::argmax;
use crate::confidence::Band;
use crate::error::Result;
use crate::policy::score::Score;
use crate::space::Params;
use crate::study::compact::merge::Merged;
use crate::study::log::trial::{Trial, TrialState};
use crate::study::study::Study;
use indexmap::IndexMap;
use serde::Serialize;

/// Deviations of the upper bound that 90 % of a normal distribution are below.
const SURE: f64 = 1.2815515655446004;

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
    /// What to run now.
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

    /// What to run now. Under a promised risk, of the settings that were measured the one with the best expected objective
    /// among those whose means keep all limits with a probability of at least 90 % by the models; under other policies, of
    /// all settings, tried or not, and each limit by itself. Else the best feasible observation; else the baseline.
    pub fn incumbent(&self) -> Result<Option<Params>> {
        Ok(self.surest()?.or_else(|| self.without_model()))
    }

    /// The best feasible observation; else the baseline.
    fn without_model(&self) -> Option<Params> {
        let observed = self.best_trial().map(|trial| trial.params.clone());
        observed.or_else(|| self.spec.baseline.as_ref().map(|baseline| baseline.params.clone()))
    }

    /// The setting of best expected objective that the models hold feasible with [`SURE`] deviations to spare.
    fn surest(&self) -> Result<Option<Params>> {
        let informed = self.informed()?;
        let context = informed.context(&self.state);
        if !context.models.ready() {
            return Ok(None);
        }
        if self.plan.guards() {
            return Ok(context.recommended().map(|x| self.spec.params.decode(&x)));
        }
        let constraints = self.spec.constraints.len();
        let mut bands = vec![Band { width: -SURE, ..Band::default() }; 1 + constraints];
        bands[0] = Band::default();
        let score = Score::hinged(&bands, vec![f64::INFINITY; constraints]);
        let tried = self.best_trial().map(|trial| trial.x.clone());
        let hints: Vec<Vec<f64>> = tried.into_iter().collect();
        let found = argmax(&self.spec.params, context.models, &score, &hints, None)?;
        Ok((found.rank.violation <= 0.0).then(|| self.spec.params.decode(&found.x)))
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
        let fitted = self.state.fitted.iter().flatten();
        let warning = |(metric, fitted): (&&str, &crate::study::log::event::Fitted)| {
            fitted.degraded.as_ref().map(|why| format!("{metric}: {why}"))
        };
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
            incumbent: self.incumbent().unwrap_or_else(|_| self.without_model()),
            merged: self.state.compacted.merged,
            warnings: outputs.iter().zip(fitted).filter_map(warning).chain(failure).collect(),
        }
    }
}
