//! Where a study stands.

use super::ledger::Account;
use super::study::Study;
use super::trial::{Trial, TrialState};
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
        let feasible =
            self.state.trials.iter().filter(|t| t.counts(0) && t.is_feasible() == Some(true));
        let valued = feasible.filter_map(|t| t.values[0].map(|a| (a.value, t)));
        valued.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, trial)| trial)
    }

    /// What to run now: of the settings tried, the one with the best expected objective among those the
    /// models hold feasible with a deviation to spare; else the best feasible observation; else the baseline.
    #[must_use]
    pub fn incumbent(&self) -> Option<Params> {
        let known = self.state.trials.iter().filter(|trial| trial.counts(0) && self.models.ready());
        let mut best: Option<(f64, &Trial)> = None;
        for trial in known.filter(|trial| trial.values[0].is_some()) {
            let Ok(at) = self.models.estimate(&trial.x) else { continue };
            let sure = at[1..].iter().all(|e| e.mean + e.deviation <= 0.0);
            if sure && best.is_none_or(|(value, _)| at[0].mean > value) {
                best = Some((at[0].mean, trial));
            }
        }
        let trial = best.map(|(_, trial)| trial).or_else(|| self.best_trial());
        let baseline = || self.spec.baseline.as_ref().map(|baseline| baseline.params.clone());
        trial.map(|trial| trial.params.clone()).or_else(baseline)
    }

    /// The account of every constraint over the trials that were asked for.
    #[must_use]
    pub fn ledger(&self) -> Vec<Account> {
        let account = |(i, constraint): (usize, &crate::Constraint)| {
            let (constraint, budget) = (constraint.to_string(), constraint.budget());
            let mut account = Account { constraint, budget, ..Account::default() };
            let asked = self.state.trials.iter().filter(|t| t.decision.is_some());
            asked.filter_map(|t| t.values[i + 1]).for_each(|a| account.record(a.value));
            account
        };
        self.spec.constraints.iter().enumerate().map(account).collect()
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
        let ready = self.models.ready();
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
            information_gain: (0..outputs.len()).filter(|_| ready).map(|q| self.gain(q)).collect(),
            best: self.best_trial().cloned(),
            incumbent: self.incumbent(),
            warnings: outputs.iter().zip(fitted).filter_map(warning).collect(),
        }
    }
}
