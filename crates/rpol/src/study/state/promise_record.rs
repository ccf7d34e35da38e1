//! What became of promises about single settings, kept for good.

use crate::study::log::trial::Trial;
use crate::study::spec::Spec;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Settings that broke a promise, and how often the baseline did: what no model can talk away. Trials under a promise that go
/// over a limit are few, so this stays small however long a study runs. Counts, so that tells of one round commute.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct PromiseRecord {
    /// How often each went over a limit.
    over: BTreeMap<Vec<u64>, u64>,
    /// How often each failed.
    failed: BTreeMap<Vec<u64>, u64>,
    /// Those that failed, or went over a limit by far more than was foretold.
    broke_down: BTreeSet<Vec<u64>>,
    /// Trials of the baseline whose outcome is known, and how many of them went over a limit.
    baseline: (u64, u64),
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

impl PromiseRecord {
    /// Notes that a trial is known to have gone over a limit.
    pub(in crate::study) fn note_over(&mut self, trial: &Trial) {
        if trial.is_promised() {
            *self.over.entry(bits(&trial.x)).or_default() += 1;
        }
    }

    /// Notes that a trial failed.
    pub(in crate::study) fn note_failure(&mut self, trial: &Trial) {
        if trial.is_promised() {
            *self.failed.entry(bits(&trial.x)).or_default() += 1;
        }
    }

    /// Notes what is known of how a trial broke down, if it did; the same again changes nothing.
    pub(in crate::study) fn note_breakdown(&mut self, trial: &Trial) {
        if trial.broke_down() {
            self.broke_down.insert(bits(&trial.x));
        }
    }

    /// Settings that broke down.
    pub(in crate::study) fn breakdowns(&self) -> impl Iterator<Item = Vec<f64>> {
        self.broke_down.iter().map(|x| x.iter().map(|x| f64::from_bits(*x)).collect())
    }

    /// Notes that all is known of a trial of the baseline.
    pub(in crate::study) fn note_baseline(&mut self, kept: bool) {
        self.baseline.0 += 1;
        self.baseline.1 += u64::from(!kept);
    }

    /// Whether a setting went over a limit under a promise no more than so often, and never failed.
    pub(in crate::study) fn speaks_for(&self, x: &[f64], most: u64) -> bool {
        let x = bits(x);
        self.over.get(&x).is_none_or(|over| *over <= most) && !self.failed.contains_key(&x)
    }

    /// How often a setting failed under a promise, and how often it went over a limit.
    pub(in crate::study) fn broken(&self, x: &[f64]) -> (u64, u64) {
        let x = bits(x);
        let count = |of: &BTreeMap<Vec<u64>, u64>| of.get(&x).copied().unwrap_or(0);
        (count(&self.failed), count(&self.over))
    }

    /// Whether the baseline goes over no more often than a risk, by its own measurements; once is no rate.
    pub(in crate::study) fn baseline_keeps(&self, risk: f64) -> bool {
        let (measured, over) = self.baseline;
        over <= 1 || over as f64 <= risk * measured as f64
    }
}

/// The baseline in the unit cube, where there is one.
pub(in crate::study) fn home(spec: &Spec) -> Option<Vec<f64>> {
    spec.params.encode(&spec.baseline.as_ref()?.params).ok()
}

/// Whether a trial measured the baseline.
pub(in crate::study) fn is_baseline(spec: &Spec, trial: &Trial) -> bool {
    home(spec).is_some_and(|x| x == trial.x)
}
