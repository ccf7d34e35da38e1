//! What a definition may not have that is written now, though older logs do.

use super::Spec;
use crate::constraint::subtraction;
use crate::error::{Error, Result};
use crate::name::{alike, path, quoted};
use crate::space::{Param, Value};

impl Spec {
    /// Refuses what would be misunderstood, naming the remedy. Not a part of [`validate`](Self::validate), as logs of before
    /// are still to be read.
    pub(in crate::study) fn check_novel(&self) -> Result<()> {
        let params = self.params.params();
        differ("params", params.keys().map(String::as_str))?;
        differ("metrics", self.metrics())?;
        for (name, param) in params {
            if let Param::Categorical { choices } = param {
                let texts = choices.iter().filter_map(|choice| match choice {
                    Value::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                differ(&format!("{}.choices", path("params", name)), texts)?;
            }
        }
        self.check_slack()
    }

    /// Refuses a limit that reads as a calculation, unless its metric is known by that name from elsewhere; `tree` is the
    /// definition as it was written, as a name in quotes is meant to be one.
    pub(super) fn check_expressions(&self, tree: &serde_json::Value) -> Result<()> {
        let written = tree.get("constraints").and_then(|list| list.as_array());
        for (i, limit) in written.into_iter().flatten().enumerate() {
            let text = limit.as_str().or_else(|| limit.get("expression")?.as_str());
            let Some(metric) = text.and_then(subtraction).filter(|name| !self.declares(name))
            else {
                continue;
            };
            let problem = format!(
                "{} reads as a subtraction, and nothing is calculated here: move the number to the other side, or, if that is the metric's \
                 name, put it in single quotes",
                quoted(&metric)
            );
            return Err(Error::spec(format!("constraints[{i}]"), problem));
        }
        Ok(())
    }

    /// Whether a metric is named beside the limits.
    fn declares(&self, metric: &str) -> bool {
        let read = self.run.as_ref().is_some_and(|run| run.metrics.contains_key(metric));
        let measured = self.baseline.as_ref().is_some_and(|b| b.metrics.contains_key(metric));
        read || measured
            || self.objective.metric() == metric
            || self.track.iter().any(|m| m == metric)
    }

    /// What widens the band must be known of every metric, or the first decision would be refused.
    fn check_slack(&self) -> Result<()> {
        let plan = super::plan::Plan::new(self)?;
        let rounds = self.horizon.unwrap_or(1);
        for metric in self.outputs() {
            let factor =
                plan.strategy.learning().slack(metric, plan.width.constants(metric)?, rounds)?;
            if !(factor.is_finite() && factor >= 0.0) {
                let problem = format!(
                    "{factor} is not usable for {metric}: give a finite number of at least 0"
                );
                return Err(Error::spec("strategy.bound", problem));
            }
        }
        Ok(())
    }
}

fn differ<'a>(field: &str, names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let Some((one, other)) = alike(names) else { return Ok(()) };
    Err(Error::spec(field, look_the_same(one, other)))
}

/// What is wrong with two names that look the same, and what to do.
pub(crate) fn look_the_same(one: &str, other: &str) -> String {
    let (one, other) = (spelled(one), spelled(other));
    format!(
        "{one} and {other} look the same, as an accent may be part of its letter or follow it: rename one"
    )
}

/// In quotes, other letters than those of English by their numbers: else the two could not be told apart.
fn spelled(name: &str) -> String {
    quoted(&name.escape_default().to_string()).replace("\\\\", "\\")
}
