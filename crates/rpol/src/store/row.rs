//! A trial as it is written out.

use super::{Moments, Shared, rfc3339, standing};
use crate::error::Result;
use crate::space::Params;
use crate::study::{Metrics, Trial, TrialState};
use serde::{Serialize, Serializer};

/// Everything there is to say of a trial as of now. Serialised it is what `rpol trials -f json` prints.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Row<'a> {
    /// 0-based and dense within the study.
    pub number: u64,
    /// The round it opened; for history, the one it came in.
    pub round: u64,
    /// An open trial whose lease is over is stale.
    pub state: TrialState,
    /// The setting.
    pub params: &'a Params,
    /// What has arrived.
    pub metrics: &'a Metrics,
    /// Whether every constraint is known and kept.
    pub feasible: Option<bool>,
    /// By how much each constraint was exceeded, where that is known.
    #[serde(serialize_with = "by_name")]
    pub violation: Vec<(String, Option<f64>)>,
    /// Nothing for history, which was not asked for.
    pub asked_at: Option<String>,
    /// When the last of its metrics came.
    pub told_at: Option<String>,
    /// Who has it, or had it last.
    pub worker: Option<&'a str>,
    /// While it is open.
    pub lease_until: Option<String>,
    /// Why it failed or was voided.
    pub reason: Option<&'a str>,
    /// The trial itself.
    #[serde(skip)]
    pub trial: &'a Trial,
}

fn by_name<T: Serialize, S: Serializer>(
    entries: &[(String, T)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(name, value)| (name, value)))
}

impl Shared {
    /// The [trials](crate::Study::trials) as they stand now, in the order of their numbers.
    #[must_use]
    pub fn rows(&self) -> Vec<Row<'_>> {
        let limits = self.limits();
        let row = |(trial, moments)| row(trial, moments, &limits);
        self.study().trials().iter().zip(self.moments()).map(row).collect()
    }

    /// Those of these numbers, in their order.
    ///
    /// # Errors
    /// For a number that [`Study::trial`](crate::Study::trial) refuses.
    pub fn rows_of(&self, numbers: impl IntoIterator<Item = u64>) -> Result<Vec<Row<'_>>> {
        let (limits, moments) = (self.limits(), self.moments());
        let first = self.study().trials().first().map_or(0, |trial| trial.number);
        let of = |number: u64| {
            let trial = self.study().trial(number)?;
            Ok(row(trial, moments[(number - first) as usize], &limits))
        };
        numbers.into_iter().map(of).collect()
    }

    /// That of the [best trial](crate::Study::best_trial).
    #[must_use]
    pub fn best_row(&self) -> Option<Row<'_>> {
        let best = self.study().best_trial()?;
        Some(row(best, self.moments_of(best.number), &self.limits()))
    }

    fn limits(&self) -> Vec<String> {
        self.study().spec().constraints.iter().map(ToString::to_string).collect()
    }
}

fn row<'a>(trial: &'a Trial, moments: Moments, limits: &[String]) -> Row<'a> {
    let excess = trial.costs().into_iter().map(|cost| cost.map(|cost| cost.max(0.0)));
    let open = trial.state == TrialState::Running;
    let lease = trial.lease.as_ref();
    Row {
        number: trial.number,
        round: trial.round,
        state: standing(trial),
        params: &trial.params,
        metrics: &trial.metrics,
        feasible: trial.is_feasible(),
        violation: limits.iter().cloned().zip(excess).collect(),
        asked_at: moments.asked.map(rfc3339),
        told_at: moments.told.map(rfc3339),
        worker: lease.map(|lease| lease.worker.as_str()),
        lease_until: lease
            .filter(|lease| open && !lease.is_released())
            .map(|lease| rfc3339(lease.until)),
        reason: trial.reason.as_deref().filter(|reason| !reason.is_empty()),
        trial,
    }
}
