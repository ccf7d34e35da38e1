//! Settings that were measured before: what a repeat is held against.

use super::forecast_errors::Answer;
use crate::space::Params;
use crate::study::log::trial::Trial;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Settings that may be repeated to settle a doubt: the last ones, and of each the last values.
const FOOTHOLDS: usize = 64;
const VALUES: usize = 8;

/// What came of a trial: an answer an output, where there is one.
pub(in crate::study) type Answers = Vec<Option<Answer>>;

/// A setting and what was measured there without raising a doubt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct RepeatableSetting {
    pub(in crate::study) x: Vec<f64>,
    pub(in crate::study) params: Params,
    /// The last values of every output, as they were told.
    values: Vec<VecDeque<f64>>,
}

impl RepeatableSetting {
    fn new(trial: &Trial) -> Self {
        Self { x: trial.x.clone(), params: trial.params.clone(), values: Vec::new() }
    }

    fn note(&mut self, answers: &Answers) {
        self.values.resize(answers.len(), VecDeque::new());
        for (values, answer) in self.values.iter_mut().zip(answers.iter().flatten()) {
            if values.len() == VALUES {
                values.pop_front();
            }
            values.push_back(answer.raw);
        }
    }

    /// An answer held against the values of this setting, by no model. Of the repeats of it in a doubt it is the one after so
    /// many.
    pub(in crate::study) fn compared(
        &self,
        output: usize,
        answer: &Answer,
        repeats: u64,
        stretch: f64,
    ) -> Answer {
        let others: Vec<f64> = self.values[output].iter().copied().collect();
        answer.against(&others, repeats, stretch)
    }
}

/// The last of them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::study) struct RepeatableSettings(VecDeque<Arc<RepeatableSetting>>);

impl RepeatableSettings {
    pub(in crate::study) fn iter(&self) -> impl Iterator<Item = &RepeatableSetting> {
        self.0.iter().map(|repeatable| &**repeatable)
    }

    pub(in crate::study) fn at(&self, x: &[f64]) -> Option<Arc<RepeatableSetting>> {
        self.0.iter().find(|repeatable| repeatable.x == x).cloned()
    }

    /// Notes what came of a trial, where all of it is known.
    pub(in crate::study) fn note(&mut self, trial: &Trial, answers: &Answers) {
        if answers.iter().any(Option::is_none) {
            return;
        }
        let old = self.at(&trial.x);
        let mut repeatable =
            old.map_or_else(|| RepeatableSetting::new(trial), |old| (*old).clone());
        repeatable.note(answers);
        self.0.retain(|repeatable| repeatable.x != trial.x);
        if self.0.len() == FOOTHOLDS {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(repeatable));
    }

    /// Notes more values of a setting that is one of them.
    pub(in crate::study) fn extend(&mut self, x: &[f64], all: &[Answers]) {
        for repeatable in self.0.iter_mut().filter(|repeatable| repeatable.x == x) {
            let repeatable = Arc::make_mut(repeatable);
            let complete = all.iter().filter(|answers| answers.iter().all(Option::is_some));
            complete.for_each(|answers| repeatable.note(answers));
        }
    }
}
