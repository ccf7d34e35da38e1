//! The account of every constraint: each violation is counted.
//!
//! The ledger sums what was observed, $\sum_t\max(c_t, 0)$ in the constraint's own unit, over the
//! trials that were asked for. A failed trial has broken every limit that it did not measure: each
//! counts as the value of `failure.counts_as`, or by the worst excess measured so far, nothing while
//! none was. What a failed trial did measure counts as measured, and as nothing else. Noise makes this sum grow at a kept limit too, so the surrogate's
//! view, $\sum_t\max(\mu(x_t), 0)$, stands beside it. The burn rate is recent violation per trial
//! over what the budget allows per trial: above 1 the budget will not last to the horizon.

use crate::constraint::Constraint;
use crate::error::Result;
use crate::points::Points;
use crate::study::data::tally::{Tally, observed};
use crate::study::study::Study;
use serde::Serialize;

/// The account of one constraint: what was observed, in its own units. History is not in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Account {
    /// The constraint, as written.
    pub constraint: String,
    /// $\sum_t \max(c_t, 0)$ over the observed costs, and what failed trials count for.
    pub total: f64,
    /// Observations above the limit.
    pub violations: u64,
    /// Observations in all.
    pub observed: u64,
    /// The largest excess that was observed.
    pub worst: f64,
    /// Trials that failed before this was observed.
    #[serde(skip_serializing_if = "is_none")]
    pub failed: u64,
    /// What of the total they count for.
    #[serde(skip_serializing_if = "is_nothing")]
    pub by_failures: f64,
    /// The last observations, in the order of their trials.
    pub recent: Recent,
    /// What the total may reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// What is left of the budget; negative when it is overspent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Recent violation a trial against what the budget allows a trial over the horizon: above 1 it will not last.
    /// Where no horizon is known, against what is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burn_rate: Option<f64>,
    /// The same as the model sees it, without the noise of the measurements; absent while there is no model, and
    /// once trials were forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Estimated>,
}

/// The last observations of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Recent {
    /// How many these are.
    pub observed: u64,
    /// Those above the limit.
    pub violations: u64,
    /// The sum of their excesses, and what the failed trials among the last count for.
    pub total: f64,
    /// Those that failed before this was observed: they are not among the observed.
    #[serde(skip_serializing_if = "is_none")]
    pub failed: u64,
}

/// What the model makes of the settings that were tried: noise makes a kept limit look broken and the other way
/// round, and a sum of rectified noise never stops growing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimated {
    /// $\sum_t \max(\mu(x_t), 0)$ over the observed trials.
    pub total: f64,
    /// Those whose mean is above the limit.
    pub violations: u64,
}

impl Account {
    fn of(constraint: &Constraint, tally: &Tally, horizon: Option<u64>) -> Self {
        let recent: Vec<f64> = tally.recent.iter().copied().flatten().collect();
        let failed = (tally.recent.len() - recent.len()) as u64;
        let mut account = Self {
            constraint: constraint.to_string(),
            total: tally.total(),
            failed: tally.failed,
            by_failures: tally.by_failures(),
            violations: tally.violations,
            observed: tally.observed,
            worst: tally.worst,
            recent: Recent {
                observed: recent.len() as u64,
                violations: violations(&recent),
                total: excess(&recent) + failed as f64 * tally.per_failure(),
                failed,
            },
            ..Self::default()
        };
        if let Some(budget) = constraint.budget() {
            account.budget = Some(budget);
            account.left = Some(budget - account.total);
            account.burn_rate = account.burn(budget, horizon);
        }
        account
    }

    fn burn(&self, budget: f64, horizon: Option<u64>) -> Option<f64> {
        let trials = self.recent.observed + self.recent.failed;
        let pace = self.recent.total / trials.max(1) as f64;
        let allowed = match horizon {
            Some(rounds) => budget / rounds as f64,
            None => (budget - self.total).max(0.0),
        };
        if pace == 0.0 {
            return Some(0.0);
        }
        Some(pace / allowed).filter(|rate| rate.is_finite())
    }

    /// Share of the observations above the limit.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.observed == 0 { 0.0 } else { self.violations as f64 / self.observed as f64 }
    }

    /// Whether there is a budget and nothing of it is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        // Without a violation nothing is spent, not even of a budget of zero.
        (self.violations > 0 || self.by_failures > 0.0) && self.left.is_some_and(|left| left <= 0.0)
    }
}

impl Study {
    /// The account of every constraint over the trials that were asked for.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     constraints = [{ expression = "load <= 5", budget = 10 }]
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#).unwrap()).unwrap();
    /// for load in [4.0, 7.0, 5.5] {
    ///     let trial = study.ask().unwrap();
    ///     study.tell(trial.number, [("cost", 1.0), ("load", load)]).unwrap();
    /// }
    /// let account = &study.ledger()[0];
    /// assert_eq!((account.total, account.violations, account.worst), (2.5, 2, 2.0));
    /// assert_eq!(account.left, Some(7.5));
    /// ```
    #[must_use]
    pub fn ledger(&self) -> Vec<Account> {
        let account = |(i, constraint): (usize, &Constraint)| {
            Account::of(constraint, &self.state.tally(&self.spec, i + 1), self.spec.horizon)
        };
        self.spec.constraints.iter().enumerate().map(account).collect()
    }

    /// What one failed trial counts for on each account now.
    ///
    /// ```
    /// use rpol::{Spec, Study};
    /// let mut study = Study::create(Spec::from_toml(r#"
    ///     name = "demo"
    ///     objective = "minimize cost"
    ///     constraints = ["load <= 5", "heat <= 9"]
    ///     failure = { counts_as = { load = 8 } }
    ///     [params]
    ///     x = { type = "float", low = 0, high = 1 }
    /// "#)?)?;
    /// let (crashed, fine) = (study.ask()?, study.ask()?);
    /// study.fail(crashed.number, "crashed")?;
    /// study.tell(fine.number, [("cost", 1.0), ("load", 4.0), ("heat", 11.0)])?;
    /// assert_eq!(study.failure_costs(), [3.0, 2.0]); // as stated; as the worst that was measured
    /// let ledger = study.ledger();
    /// assert_eq!((ledger[1].total, ledger[1].by_failures, ledger[1].failed), (4.0, 2.0, 1));
    /// # Ok::<(), rpol::Error>(())
    /// ```
    #[must_use]
    pub fn failure_costs(&self) -> Vec<f64> {
        let limits = 1..=self.spec.constraints.len();
        limits.map(|q| self.state.tally(&self.spec, q).per_failure()).collect()
    }

    /// The [ledger](Self::ledger) with the model's view of every constraint, which takes a look at the model for every trial.
    pub fn ledger_by_model(&self) -> Result<Vec<Account>> {
        let mut accounts = self.ledger();
        let informed = self.informed()?;
        let context = informed.context(&self.state);
        if context.models.ready() && self.state.trials.first() == 0 {
            for (i, account) in accounts.iter_mut().enumerate() {
                let seen = self.trials().iter().filter(|t| observed(t, i + 1).is_some());
                let rows: Vec<&[f64]> = seen.map(|t| t.x.as_slice()).collect();
                let points = Points::from_rows(self.spec.params.dims(), &rows);
                let warp = context.models.warp(i + 1);
                let means = context.models.means_at(i + 1, points.view());
                let means: Vec<f64> = means.into_iter().map(|mean| warp.invert(mean)).collect();
                account.model =
                    Some(Estimated { total: excess(&means), violations: violations(&means) });
            }
        }
        Ok(accounts)
    }
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

fn is_nothing(amount: &f64) -> bool {
    *amount == 0.0
}

fn excess(costs: &[f64]) -> f64 {
    costs.iter().map(|cost| cost.max(0.0)).sum()
}

fn violations(costs: &[f64]) -> u64 {
    costs.iter().filter(|cost| **cost > 0.0).count() as u64
}
