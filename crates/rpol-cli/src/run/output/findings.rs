//! What a run has found: the document on stdout.

use super::advice::advice;
use super::counts;
use super::stop_reason::StopReason;
use crate::common::constant;
use rpol::study::{Account, Belief, Metrics, Recommendation, Trial, TrialState};
use rpol::{Params, Study};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a run has found.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    pub(crate) study: String,
    /// The store's address.
    pub(crate) storage: String,
    /// Why the run ended, in one word.
    pub(crate) stopped: &'static str,
    /// The same in words.
    pub(crate) because: String,
    pub(crate) trials: Trials,
    /// What to run now; none before anything was measured.
    pub(crate) recommended: Option<Recommendation>,
    /// Why nothing can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unmeasured: Option<String>,
    pub(crate) baseline: Option<Baseline>,
    /// The best trial that kept every constraint as observed.
    pub(crate) best: Option<Best>,
    pub(crate) ledger: Vec<Account>,
    /// What may be wrong with the measurements.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) advice: Vec<String>,
}

/// How many trials there are: those asked for, by this run or before it.
#[derive(Debug, Serialize)]
pub(crate) struct Trials {
    pub(crate) asked: u64,
    pub(crate) complete: u64,
    pub(crate) failed: u64,
    pub(crate) open: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Baseline {
    pub(crate) params: Params,
    /// As far as they are known.
    pub(crate) metrics: BTreeMap<String, f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Best {
    pub(crate) number: u64,
    pub(crate) params: Params,
    pub(crate) metrics: Metrics,
    /// The objective by the model, which does not take the best of many noisy values at its word.
    pub(crate) expected: Option<Belief>,
}

impl Findings {
    pub(crate) fn of(study: &Study, stopped: &StopReason, storage: &str) -> Self {
        let best = |trial: &Trial| Best {
            number: trial.number,
            params: trial.params.clone(),
            metrics: trial.metrics.clone(),
            expected: expected(study, &trial.params),
        };
        let baseline = |baseline: &rpol::study::Baseline| Baseline {
            params: baseline.params.clone(),
            metrics: study.baseline_metrics().clone().into_iter().collect(),
        };
        // A model that fails must not cost the summary: the status goes on without one.
        let status = study.status();
        Self {
            study: study.spec().name.clone(),
            storage: storage.into(),
            stopped: stopped.key(),
            because: stopped.to_string(),
            trials: Trials::of(study),
            warnings: constant::warnings(study),
            advice: advice(study, &status.ledger, status.incumbent.as_ref()),
            recommended: status.recommendation,
            unmeasured: study.unmeasured_in_words(),
            baseline: study.spec().baseline.as_ref().map(baseline),
            best: study.best_trial().map(best),
            ledger: status.ledger,
        }
    }
}

/// The objective of a setting by the model, where there is one.
fn expected(study: &Study, params: &Params) -> Option<Belief> {
    let predicted = study.predict(std::slice::from_ref(params)).ok().flatten()?;
    predicted.first().map(|predicted| predicted.objective)
}

impl Trials {
    fn of(study: &Study) -> Self {
        let own = || study.trials().iter().filter(|trial| trial.decision.is_some());
        let count = |state| own().filter(|trial| trial.state == state).count() as u64;
        Self {
            asked: counts::asked(study),
            complete: count(TrialState::Complete),
            failed: count(TrialState::Fail),
            open: count(TrialState::Running),
        }
    }
}
