//! What the budgets allow the next trial.
//!
//! Let $L$ be what is left of a budget, $D$ the baseline's distance from the limit, and $W$ the
//! most that one trial was over it. Three conditions hold from the first trial on:
//!
//! 1. by the surrogate: with a probability of 95 % a trial spends at most $L/4$;
//! 2. a breakdown, which no surrogate predicts, is taken to cost $24D$. A trial may go over with
//!    probability at most $L/(24DT)$, so that over the horizon $T$ (60 rounds where none is given)
//!    the expected breakdowns cost no more than $L$;
//! 3. by feedback: the allowance counts as no more than $L/2W - 1$. Where a surprise twice the
//!    worst so far cannot be paid, new settings are not played, then only the baseline.
//!
//! A failed trial counts as what it is on the ledger for (`report/ledger.rs`).
//!
//! No rule keeps a budget that one unforeseen trial overspends.

use crate::study::surrogate::context::Context;

/// What one trial may be expected to spend of what is left of a budget.
const SHARE: f64 = 0.25;
/// Distances of the baseline from its limit that a system which breaks down goes over it by: unknown before, and on live
/// systems ten to eighty were seen.
const BREAKDOWN: f64 = 24.0;
/// How much dearer than the dearest so far the next surprise may be.
const DEARER: f64 = 2.0;
/// Rounds that a budget is to last by default.
const ROUNDS: u64 = 60;

/// A budget at one decision, in the limit's own unit.
struct Budget {
    left: f64,
    /// The most that one trial was over the limit by.
    worst: f64,
    /// The distance of the baseline from the limit, where it is known.
    distance: Option<f64>,
}

impl Context<'_> {
    /// What one trial may spend of the budget of a limit, in standard units.
    pub(in crate::study) fn most_to_spend(&self, q: usize) -> Option<f64> {
        let left = self.budget(q)?.left.max(0.0);
        let most = self.models.warp(q).apply(SHARE * left);
        Some(self.models.unit(q).standard(most.max(0.0)))
    }

    /// What the budgets leave of the allowance, in trials twice as dear as the dearest so far, one of them aside: where the next
    /// surprise would overspend a budget nothing new is played, and in the end the baseline alone.
    pub(in crate::study) fn budgets_left(&self) -> f64 {
        let surprise = |budget: &Budget| DEARER * budget.worst;
        let costly = self.budgets().filter(|budget| surprise(budget) > 0.0);
        let left = costly.map(|budget| budget.left / surprise(&budget) - 1.0);
        left.fold(f64::INFINITY, f64::min)
    }

    /// How probable going over a limit may be for the budgets' sake, where a trial that does so is a breakdown: over all rounds the
    /// breakdowns to expect cost no more than what is left.
    pub(in crate::study) fn bearable(&self) -> f64 {
        let rounds = self.spec.horizon.unwrap_or(ROUNDS) as f64;
        let share = |budget: Budget| {
            let breakdown = BREAKDOWN * budget.distance?;
            (breakdown > 0.0).then(|| budget.left.max(0.0) / (rounds * breakdown))
        };
        self.budgets().filter_map(share).fold(f64::INFINITY, f64::min)
    }

    fn budgets(&self) -> impl Iterator<Item = Budget> {
        (1..=self.spec.constraints.len()).filter_map(|q| self.budget(q))
    }

    fn budget(&self, q: usize) -> Option<Budget> {
        let budget = self.spec.constraints.get(q - 1)?.budget()?;
        let tally = self.state.tally(self.spec, q);
        let distance = self.baseline_cost(q).map(f64::abs);
        Some(Budget { left: budget - tally.total(), worst: tally.dearest(), distance })
    }
}
