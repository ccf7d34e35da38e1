//! How the violation of a constraint grew.

use rpol::Study;

/// How the violation of one constraint grew.
#[derive(Debug, Clone, PartialEq)]
pub struct Spending {
    /// The constraint, as written.
    pub constraint: String,
    /// Its metric, in whose unit the violation is.
    pub metric: String,
    /// Cumulative violation after each trial in which it was observed.
    pub steps: Vec<(u64, f64)>,
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
    let account = |(i, constraint): (usize, &rpol::Constraint)| {
        let mut total = 0.0;
        let asked = study.trials().iter().filter(|trial| trial.decision.is_some());
        let known = asked.filter_map(|trial| Some((trial.number, trial.costs()[i]?)));
        let steps = known.map(|(number, cost)| {
            total += cost.max(0.0);
            (number, total)
        });
        Spending {
            constraint: constraint.to_string(),
            metric: constraint.metric().into(),
            steps: steps.collect(),
            budget: constraint.budget(),
        }
    };
    study.spec().constraints.iter().enumerate().map(account).collect()
}
