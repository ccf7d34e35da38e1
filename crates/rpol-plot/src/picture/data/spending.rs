//! How the violation of a constraint grew.

use rpol::Study;
use rpol::study::{Trial, TrialState};

/// How the violation of one constraint grew.
#[derive(Debug, Clone, PartialEq)]
pub struct Spending {
    /// The constraint, as written.
    pub constraint: String,
    /// Its metric, in whose unit the violation is.
    pub metric: String,
    /// Cumulative violation after each trial in which it was observed, or that failed before.
    pub steps: Vec<(u64, f64)>,
    /// Those of them that failed.
    pub failed: Vec<u64>,
    /// What it may reach.
    pub budget: Option<f64>,
}

impl Spending {
    /// The violation so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.steps.last().map_or(0.0, |(_, total)| *total)
    }
}

/// One account a constraint, over the trials that were asked for, as in the [ledger](Study::ledger).
#[must_use]
pub fn spending(study: &Study) -> Vec<Spending> {
    let per_failure = study.failure_costs();
    let account = |(i, constraint): (usize, &rpol::Constraint)| {
        let asked = || study.trials().iter().filter(|trial| trial.decision.is_some());
        let failed = |trial: &&Trial| {
            trial.state == TrialState::Fail && !trial.metrics.contains_key(constraint.metric())
        };
        let mut total = 0.0;
        let steps = asked().filter_map(|trial| {
            total += match trial.costs()[i] {
                Some(cost) => cost.max(0.0),
                None if failed(&trial) => per_failure[i],
                None => return None,
            };
            Some((trial.number, total))
        });
        Spending {
            constraint: constraint.to_string(),
            metric: constraint.metric().into(),
            steps: steps.collect(),
            failed: asked().filter(failed).map(|trial| trial.number).collect(),
            budget: constraint.budget(),
        }
    };
    study.spec().constraints.iter().enumerate().map(account).collect()
}
