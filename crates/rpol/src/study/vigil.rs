//! Whether the system is still what it was: doubts, and the repeats that settle them.

use super::algorithm::Plan;
use super::state::State;
use super::trial::Trial;
use super::watch::Answer;
use crate::space::Params;
use crate::strategy::{DIRECTIONS, Scores, Slide, Strategy, Watchful};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Settings that may be repeated to settle a doubt: the last so many, and of each the last values.
const FOOTHOLDS: usize = 64;
const VALUES: usize = 8;
/// Trials that a doubt may take to be settled.
const PATIENCE: u64 = 12;

/// What the answers of all outputs since the last change say of the next.
#[derive(Debug, Clone)]
pub(super) struct Vigil {
    outputs: Vec<Seen>,
    footholds: VecDeque<Arc<Foothold>>,
    doubt: Option<Doubt>,
    /// The first round that counts, once a change is certain.
    change: Option<u64>,
}

/// What the answers of one output add up to.
#[derive(Debug, Clone)]
struct Seen {
    scores: Scores,
    /// Of forecasts, while there is no doubt.
    slides: [Slide; 2],
    /// Of repeats, while there is; `None` where they have shown that nothing has changed.
    tests: [Option<f64>; 2],
    /// How much better the prior tells the repeats.
    fresh: f64,
    /// How much wider than the model's the intervals had to be before it.
    stretch: f64,
    /// Errors since the doubt: what they are worth is known when it is settled.
    held: Vec<f64>,
}

impl Default for Seen {
    fn default() -> Self {
        let (scores, slides, tests) = Default::default();
        Self { scores, slides, tests, fresh: 0.0, stretch: 1.0, held: Vec::new() }
    }
}

impl Seen {
    /// Takes what was held back for what is usual.
    fn learn(&mut self) {
        std::mem::take(&mut self.held).into_iter().for_each(|error| self.scores.note(error));
    }

    /// Begins anew without a doubt.
    fn settle(&mut self) {
        self.learn();
        (self.slides, self.tests, self.fresh) = Default::default();
    }
}

/// A suspicion that the system has changed.
#[derive(Debug, Clone)]
pub(super) struct Doubt {
    /// The first round it is about.
    since: u64,
    /// The trial that raised it.
    number: u64,
    /// Its setting.
    pub(super) x: Vec<f64>,
    /// Trials since.
    trials: u64,
    /// Settings of those that were repeats.
    repeated: Vec<Vec<f64>>,
}

/// A setting and what was measured there without raising a doubt.
#[derive(Debug, Clone)]
pub(super) struct Foothold {
    pub(super) x: Vec<f64>,
    pub(super) params: Params,
    /// The last values of every output, as they were told.
    values: Vec<VecDeque<f64>>,
}

/// What came of a trial: an answer an output, where there is one.
type Answers = Vec<Option<Answer>>;

impl Vigil {
    pub(super) fn new(outputs: usize) -> Self {
        let outputs = vec![Seen::default(); outputs];
        Self { outputs, footholds: VecDeque::new(), doubt: None, change: None }
    }

    pub(super) fn change(&self) -> Option<u64> {
        self.change
    }

    /// Whether there may have been a change, and the next values will say so. A fit at such a moment would take the
    /// change for noise.
    pub(super) fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }

    /// Settings that were not repeated since the doubt arose: what is wrong with the old values of one is so for every repeat.
    pub(super) fn footholds(&self) -> impl Iterator<Item = &Foothold> {
        let all = self.footholds.iter().map(|foothold| &**foothold);
        all.filter(|foothold| self.repeats(&foothold.x) == 0)
    }

    /// How often a setting was repeated since the doubt arose.
    fn repeats(&self, x: &[f64]) -> u64 {
        let repeated = self.doubt.iter().flat_map(|doubt| &doubt.repeated);
        repeated.filter(|old| *old == x).count() as u64
    }

    fn foothold(&self, x: &[f64]) -> Option<Arc<Foothold>> {
        self.footholds.iter().find(|foothold| foothold.x == x).cloned()
    }

    /// The first round that a change may be dated to.
    pub(super) fn since(&self) -> Option<u64> {
        let slides = self.outputs.iter().flat_map(|seen| &seen.slides);
        let slides = slides.filter(|slide| slide.sum > 0.0).map(|slide| slide.since);
        slides.chain(self.doubt.as_ref().map(|doubt| doubt.since)).min()
    }

    fn take(&mut self, strategy: &Watchful, trial: &Trial, answers: &Answers) {
        match &self.doubt {
            _ if self.change.is_some() => {}
            None => self.watch(strategy, trial, answers),
            // What was asked for before the doubt says nothing of it.
            Some(doubt) if trial.number < doubt.number => {}
            Some(_) => self.test(strategy, trial, answers),
        }
    }

    /// Holds a trial against its forecast.
    fn watch(&mut self, strategy: &Watchful, trial: &Trial, answers: &Answers) {
        let mut since = None;
        for (seen, answer) in self.outputs.iter_mut().zip(answers) {
            let Some(answer) = answer.as_ref().filter(|answer| answer.was_known()) else {
                continue;
            };
            seen.stretch = answer.forecast.stretch;
            let error = answer.error();
            if answer.forecast.values >= strategy.after && strategy.is_settled_by(PATIENCE) {
                let first = doubted(strategy, seen, answer.asked, error);
                since = first.into_iter().chain(since).min();
            }
            seen.held.push(error);
        }
        match since {
            Some(since) => {
                let tests = self.outputs.iter_mut().flat_map(|seen| &mut seen.tests);
                tests.for_each(|test| *test = test.or(Some(0.0)));
                let (number, x, repeated) = (trial.number, trial.x.clone(), Vec::new());
                self.doubt = Some(Doubt { since, number, x, trials: 0, repeated });
            }
            None => self.calm(trial, answers),
        }
    }

    /// Learns from a trial that raised no doubt.
    fn calm(&mut self, trial: &Trial, answers: &Answers) {
        let old = self.foothold(&trial.x);
        for (q, (seen, answer)) in self.outputs.iter_mut().zip(answers).enumerate() {
            seen.learn();
            // How repeats differ where nothing has changed is what a doubt is settled by.
            if let (Some(old), Some(answer)) = (&old, answer.as_ref().filter(|a| a.was_known())) {
                seen.scores.note(old.compared(q, answer, 0, answer.forecast.stretch).error());
            }
        }
        if answers.iter().all(Option::is_some) {
            let mut foothold = old.map_or_else(|| Foothold::new(trial), |old| (*old).clone());
            foothold.note(answers);
            self.footholds.retain(|foothold| foothold.x != trial.x);
            if self.footholds.len() == FOOTHOLDS {
                self.footholds.pop_front();
            }
            self.footholds.push_back(Arc::new(foothold));
        }
    }

    /// Holds a repeat against what its setting was before the doubt.
    fn test(&mut self, strategy: &Watchful, trial: &Trial, answers: &Answers) {
        let foothold = self.foothold(&trial.x);
        let certain = foothold.as_ref().is_some_and(|old| self.compare(strategy, old, answers));
        let Some(doubt) = &mut self.doubt else { return };
        doubt.trials += 1;
        let tested = foothold.is_some();
        doubt.repeated.extend(foothold.map(|foothold| foothold.x.clone()));
        let open = self.outputs.iter().any(|seen| seen.tests.iter().any(Option::is_some));
        if certain {
            self.change = Some(doubt.since);
        } else if (tested && !open) || doubt.trials >= PATIENCE {
            self.doubt = None;
            self.outputs.iter_mut().for_each(Seen::settle);
        }
    }

    /// Adds what a repeat says of every output; whether that is enough.
    fn compare(&mut self, strategy: &Watchful, old: &Foothold, answers: &Answers) -> bool {
        let (mut certain, repeats) = (false, self.repeats(&old.x));
        for (q, (seen, answer)) in self.outputs.iter_mut().zip(answers).enumerate() {
            let Some(answer) = answer else { continue };
            let repeat = old.compared(q, answer, repeats, seen.stretch);
            let error = repeat.error();
            seen.fresh += repeat.fresh().min(strategy.most());
            let needed = strategy.needed(answer.forecast.values);
            for (test, direction) in seen.tests.iter_mut().zip(DIRECTIONS) {
                let evidence = strategy.evidence(&seen.scores, direction, error);
                *test = test.map(|sum| sum + evidence).filter(|sum| *sum > 0.0);
                certain |= seen.fresh > 0.0 && test.is_some_and(|sum| sum >= needed);
            }
            seen.held.push(error);
        }
        certain
    }
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

    /// An answer held against the values of this setting.
    fn compared(&self, output: usize, answer: &Answer, repeats: u64, stretch: f64) -> Answer {
        let others: Vec<f64> = self.values[output].iter().copied().collect();
        answer.against(&others, repeats, stretch)
    }
}

/// The round that a doubt dates back to, where an error of a forecast raises one.
fn doubted(strategy: &Watchful, seen: &mut Seen, asked: u64, error: f64) -> Option<u64> {
    let mut since = None;
    for (i, direction) in DIRECTIONS.into_iter().enumerate() {
        let evidence = strategy.evidence(&seen.scores, direction, error);
        let slides = strategy.slides(&mut seen.slides[i], evidence, asked);
        if strategy.is_wild(&seen.scores, direction, error) {
            seen.tests[i] = Some(strategy.most());
            since = Some(asked);
        }
        if slides {
            since = Some(seen.slides[i].since);
        }
    }
    since
}

impl State {
    /// What is said of a change once the open round is closed.
    pub(super) fn vigil(&self, plan: &Plan) -> Vigil {
        let mut vigil = self.vigil.clone();
        let Strategy::Watchful(strategy) = &plan.strategy else { return vigil };
        let mut told: BTreeMap<u64, Answers> = BTreeMap::new();
        for (q, watch) in self.watches.iter().enumerate() {
            for answer in watch.heard() {
                let answers =
                    told.entry(answer.number).or_insert_with(|| vec![None; self.watches.len()]);
                answers[q] = Some(answer);
            }
        }
        for (number, answers) in told {
            if let Some(trial) = self.trials.get(number) {
                vigil.take(strategy, trial, &answers);
            }
        }
        vigil
    }
}
