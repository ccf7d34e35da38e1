//! Every violation on the books.

use serde::Serialize;

/// The account of one constraint: what was observed, in its own units. History is not in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Account {
    /// The constraint, as written.
    pub constraint: String,
    /// $\sum_t \max(c_t, 0)$ over the observed costs.
    pub total: f64,
    /// Observations above the limit.
    pub violations: u64,
    /// Observations in all.
    pub observed: u64,
    /// The largest excess.
    pub worst: f64,
    /// What the total may reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
}

impl Account {
    pub(crate) fn record(&mut self, cost: f64) {
        self.observed += 1;
        if cost > 0.0 {
            self.violations += 1;
            self.total += cost;
            self.worst = self.worst.max(cost);
        }
    }

    /// Share of the observations above the limit.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.observed == 0 { 0.0 } else { self.violations as f64 / self.observed as f64 }
    }

    /// What is left of the budget; negative when it is overspent.
    #[must_use]
    pub fn left(&self) -> Option<f64> {
        self.budget.map(|budget| budget - self.total)
    }
}
