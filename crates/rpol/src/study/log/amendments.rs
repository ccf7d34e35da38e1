//! Voids and corrections.

use super::event::{Event, Reported};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What later events say of earlier ones: known before the fold begins.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct Amendments {
    voided: BTreeSet<u64>,
    corrected: BTreeMap<(u64, String), Reported>,
}

impl Amendments {
    pub(in crate::study) fn of(log: &[Event]) -> Self {
        let mut amendments = Self::default();
        log.iter().for_each(|event| amendments.note(event));
        amendments
    }

    pub(in crate::study) fn note(&mut self, event: &Event) {
        match event {
            Event::Voided { number, .. } => {
                self.voided.insert(*number);
            }
            Event::Corrected { number, metrics } => {
                for (metric, value) in metrics {
                    self.corrected.insert((*number, metric.clone()), *value);
                }
            }
            _ => {}
        }
    }

    /// Whether a trial counts no more.
    pub(in crate::study) fn is_voided(&self, number: u64) -> bool {
        self.voided.contains(&number)
    }

    /// A metric of a trial as it was corrected later, or as it was told.
    pub(in crate::study) fn right(&self, number: u64, metric: &str, told: Reported) -> Reported {
        self.corrected.get(&(number, metric.to_string())).copied().unwrap_or(told)
    }
}
