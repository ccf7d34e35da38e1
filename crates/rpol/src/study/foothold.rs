//! Settings that were measured before: what a repeat is held against.

use super::trial::Trial;
use super::watch::Answer;
use crate::space::Params;
use std::collections::VecDeque;
use std::sync::Arc;

/// Settings that may be repeated to settle a doubt: the last so many, and of each the last values.
const FOOTHOLDS: usize = 64;
const VALUES: usize = 8;

/// What came of a trial: an answer an output, where there is one.
pub(super) type Answers = Vec<Option<Answer>>;

/// A setting and what was measured there without raising a doubt.
#[derive(Debug, Clone)]
pub(super) struct Foothold {
    pub(super) x: Vec<f64>,
    pub(super) params: Params,
    /// The last values of every output, as they were told.
    values: Vec<VecDeque<f64>>,
}

impl Foothold {
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
    pub(super) fn compared(
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
#[derive(Debug, Clone, Default)]
pub(super) struct Footholds(VecDeque<Arc<Foothold>>);

impl Footholds {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Foothold> {
        self.0.iter().map(|foothold| &**foothold)
    }

    pub(super) fn at(&self, x: &[f64]) -> Option<Arc<Foothold>> {
        self.0.iter().find(|foothold| foothold.x == x).cloned()
    }

    /// Notes what came of a trial, where all of it is known.
    pub(super) fn note(&mut self, trial: &Trial, answers: &Answers) {
        if answers.iter().any(Option::is_none) {
            return;
        }
        let old = self.at(&trial.x);
        let mut foothold = old.map_or_else(|| Foothold::new(trial), |old| (*old).clone());
        foothold.note(answers);
        self.0.retain(|foothold| foothold.x != trial.x);
        if self.0.len() == FOOTHOLDS {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(foothold));
    }

    /// Notes more values of a setting that is one of them.
    pub(super) fn extend(&mut self, x: &[f64], all: &[Answers]) {
        for foothold in self.0.iter_mut().filter(|foothold| foothold.x == x) {
            let foothold = Arc::make_mut(foothold);
            let complete = all.iter().filter(|answers| answers.iter().all(Option::is_some));
            complete.for_each(|answers| foothold.note(answers));
        }
    }
}
