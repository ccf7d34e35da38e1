//! What a failed trial counts as.

use super::Spec;
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::finite::Finite;
use crate::name;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a failed trial counts as on the ledger, where it has not measured a limit's metric.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// Values of limits' metrics that stand for a failed trial, such as `{ p99_ms = 500 }`. A limit that is left out
    /// counts as broken by the worst excess that was measured. A value that keeps its limit counts for nothing.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub counts_as: IndexMap<String, f64>,
}

impl Failure {
    pub(super) fn is_default(&self) -> bool {
        self.counts_as.is_empty()
    }

    pub(super) fn validate(&self, spec: &Spec) -> Result<()> {
        for (metric, value) in &self.counts_as {
            let path = name::path("failure.counts_as", metric);
            if !spec.constraints.iter().any(|limit| limit.metric() == metric) {
                let known: Vec<String> =
                    spec.constraints.iter().map(|limit| name::quoted(limit.metric())).collect();
                let problem = match known.is_empty() {
                    true => "there is no limit: remove it".into(),
                    false => format!("no limit is on it: give {}", name::joined(&known)),
                };
                return Err(Error::spec(path, problem));
            }
            Finite::new(&path, *value).map_err(|e| Error::spec(path, e.to_string()))?;
        }
        Ok(())
    }

    /// By how much a failed trial counts as over a limit, where that is stated; nothing while the limit is not known.
    pub(in crate::study) fn excess(
        &self,
        limit: &Constraint,
        baseline: Option<f64>,
    ) -> Option<f64> {
        let value = *self.counts_as.get(limit.metric())?;
        Some(limit.g(value, baseline).map_or(0.0, |g| g.max(0.0)))
    }
}
