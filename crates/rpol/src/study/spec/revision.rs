//! What of a study's definition may change while it goes on.

use super::Spec;
use super::plan::Plan;
use crate::error::Result;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// The fields of a definition that may change, all of them as they are to be: how long the study is, what it may
/// risk, and how sure it must be of what it recommends. What was measured stays what it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Revision {
    /// How many rounds there will be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u64>,
    /// The share of trials that may go over a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
    /// Another way to give a risk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caution: Option<f64>,
    /// The budget of each constraint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<Option<f64>>,
    /// The level of confidence of a recommendation. Left out where it stays, as logs of before it could change do.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub confidence: Option<Option<f64>>,
}

/// A field that is there, even if what is there is nothing.
fn given<'de, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<Option<f64>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl Revision {
    /// The one that leads to a definition, as far as one can.
    pub(in crate::study) fn to(spec: &Spec) -> Self {
        let Spec { horizon, risk, caution, .. } = *spec;
        let budgets = spec.constraints.iter().map(|constraint| constraint.budget()).collect();
        Self { horizon, risk, caution, budgets, confidence: Some(spec.confidence.level) }
    }

    /// The definition after it. Everything that is not in it stays.
    pub(in crate::study) fn applied(&self, old: &Spec) -> Result<Spec> {
        let Self { horizon, risk, caution, .. } = *self;
        let budgets = self.budgets.iter().copied().chain(std::iter::repeat(None));
        let constraints = old.constraints.iter().zip(budgets);
        let constraints = constraints.map(|(constraint, budget)| constraint.budgeted(budget));
        let constraints = constraints.collect::<Result<_>>()?;
        let mut spec = Spec { horizon, risk, caution, constraints, ..old.clone() };
        spec.confidence.level = self.confidence.unwrap_or(spec.confidence.level);
        spec.validate().map(|()| spec)
    }

    /// The definition and what it means, after it.
    pub(in crate::study) fn revised(&self, old: &Spec) -> Result<(Arc<Spec>, Arc<Plan>)> {
        let spec = self.applied(old)?;
        let plan = Plan::new(&spec)?;
        Ok((Arc::new(spec), Arc::new(plan)))
    }
}
