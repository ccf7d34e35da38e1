//! Whether the system is still what it was: doubts, and the repeats that settle them.
//!
//! The change test has two steps (the formulas are in `strategy/watchful.rs`). Every decision
//! records a forecast, so a late value is compared with the forecast of its own round. An error
//! larger than all before, or a run of errors to one side, raises a doubt. Then the next trials
//! repeat settings measured before (repeatable settings), and each value is compared with those of
//! the same setting, by no model. This sequential test ends either way; the data from before the
//! doubt are dropped only if it says so.
//!
//! Repeats are charged to the allowance. While only the baseline may be played there are none, and
//! this is what a change leads to: the first trials after it go over. Therefore
//!
//! - a doubt waits. Trials of the baseline neither confirm nor end a doubt from elsewhere, since a
//!   change may spare the baseline, and do not use up its patience;
//! - the baseline has its own CUSUM, fed by its repeats only, which are always allowed;
//! - no setting is repeated that went over a limit before.
//!
//! Three values make a change. With some allowance left the third mostly comes within 15 rounds,
//! with none left about ten rounds later, since each trial over a limit costs ten rounds of the
//! default risk.

use super::State;
use super::repeat_test::{Repeat, Test};
use super::repeatable::{Answers, RepeatableSetting, RepeatableSettings};
use crate::strategy::{DIRECTIONS, Scores, Slide, Watchful};
use crate::study::log::trial::Trial;
use crate::study::spec::plan::Plan;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Trials that a doubt may take to be settled. Those of the baseline do not count where it arose elsewhere: they are played when
/// nothing else may be.
const PATIENCE: u64 = 12;

/// What the answers of all outputs since the last change say of the next.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct ChangeTest {
    outputs: Vec<Seen>,
    repeatables: RepeatableSettings,
    doubt: Option<Doubt>,
    /// The baseline, where there is one.
    home: Option<Vec<f64>>,
    /// The first round that counts, once a change is certain.
    change: Option<u64>,
}

/// What the answers of one output add up to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    scores: Scores,
    /// Of forecasts, while there is no doubt.
    slides: [Slide; 2],
    /// Of repeats, while there is.
    tests: [Test; 2],
    /// How much wider than the model's the intervals had to be before it.
    stretch: f64,
    /// Errors since the doubt: what they are worth is known when it is settled.
    held: Vec<f64>,
}

impl Default for Seen {
    fn default() -> Self {
        let (scores, slides, tests) = Default::default();
        Self { scores, slides, tests, stretch: 1.0, held: Vec::new() }
    }
}

impl Seen {
    /// Takes what was held back for what is usual.
    fn learn(&mut self) {
        std::mem::take(&mut self.held).into_iter().for_each(|error| self.scores.note(error));
    }

    /// Starts again without a doubt.
    fn compact(&mut self) {
        self.learn();
        (self.slides, self.tests) = Default::default();
    }
}

/// A suspicion that the system has changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct Doubt {
    /// The first round it is about.
    since: u64,
    /// The trial that raised it.
    number: u64,
    /// Its setting.
    pub(in crate::study) x: Vec<f64>,
    /// Trials since.
    trials: u64,
    /// Settings of those that were repeats.
    repeated: Vec<Vec<f64>>,
    /// What came of repeats of the baseline since they speak for a change, where the doubt arose elsewhere.
    at_home: Vec<Answers>,
}

impl ChangeTest {
    pub(in crate::study) fn new(outputs: usize, home: Option<Vec<f64>>) -> Self {
        let outputs = vec![Seen::default(); outputs];
        Self {
            outputs,
            repeatables: RepeatableSettings::default(),
            doubt: None,
            home,
            change: None,
        }
    }

    pub(in crate::study) fn change(&self) -> Option<u64> {
        self.change
    }

    /// Whether there may have been a change, and the next values will say so. A fit at such a moment would take the
    /// change for noise.
    pub(in crate::study) fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }

    /// Settings that may settle the doubt and were not repeated since it arose: what is wrong with the old values of one is so
    /// for every repeat.
    pub(in crate::study) fn repeatables(&self) -> impl Iterator<Item = &RepeatableSetting> {
        let all = self.repeatables.iter();
        all.filter(|repeatable| self.repeats(&repeatable.x) == 0 && !self.is_apart(&repeatable.x))
    }

    fn is_home(&self, x: &[f64]) -> bool {
        self.home.as_ref().is_some_and(|home| home == x)
    }

    /// Whether this is the baseline and there is a doubt that arose elsewhere.
    fn is_apart(&self, x: &[f64]) -> bool {
        self.is_home(x) && self.doubt.as_ref().is_some_and(|doubt| doubt.x != x)
    }

    /// How often a setting was repeated since the doubt arose.
    fn repeats(&self, x: &[f64]) -> u64 {
        let Some(doubt) = &self.doubt else { return 0 };
        match self.is_apart(x) {
            true => doubt.at_home.len() as u64,
            false => doubt.repeated.iter().filter(|old| *old == x).count() as u64,
        }
    }

    /// The first round that a change may be dated to.
    pub(in crate::study) fn since(&self) -> Option<u64> {
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
        let mut raised: Vec<Raised> = Vec::new();
        for (seen, answer) in self.outputs.iter_mut().zip(answers) {
            let Some(answer) = answer.as_ref().filter(|answer| answer.was_known()) else {
                raised.push(Raised::default());
                continue;
            };
            seen.stretch = answer.forecast.stretch;
            let error = answer.error();
            let may = answer.forecast.values >= strategy.after && strategy.is_settled_by(PATIENCE);
            raised.push(if may {
                seen.doubted(strategy, answer.asked, error)
            } else {
                Raised::default()
            });
            seen.held.push(error);
        }
        match raised.iter().filter_map(|raised| raised.since).min() {
            Some(since) => self.begin(trial, since, &raised),
            None => self.calm(trial, answers),
        }
    }

    /// Begins a doubt.
    fn begin(&mut self, trial: &Trial, since: u64, raised: &[Raised]) {
        for (seen, raised) in self.outputs.iter_mut().zip(raised) {
            let tests = seen.tests.iter_mut().zip(raised.sums);
            tests.for_each(|(test, sum)| test.begin(since, sum));
        }
        self.doubt = Some(Doubt {
            since,
            number: trial.number,
            x: trial.x.clone(),
            trials: 0,
            repeated: Vec::new(),
            at_home: Vec::new(),
        });
    }

    /// Learns from a trial that raised no doubt.
    fn calm(&mut self, trial: &Trial, answers: &Answers) {
        let old = self.repeatables.at(&trial.x);
        for (q, (seen, answer)) in self.outputs.iter_mut().zip(answers).enumerate() {
            seen.learn();
            // How repeats differ where nothing has changed is what a doubt is settled by.
            if let (Some(old), Some(answer)) = (&old, answer.as_ref().filter(|a| a.was_known())) {
                seen.scores.note(old.compared(q, answer, 0, answer.forecast.stretch).error());
            }
        }
        self.repeatables.note(trial, answers);
    }

    /// Holds a repeat against what its setting was before the doubt.
    fn test(&mut self, strategy: &Watchful, trial: &Trial, answers: &Answers) {
        let (apart, old) = (self.is_apart(&trial.x), self.repeatables.at(&trial.x));
        self.change = old.as_ref().and_then(|old| self.compare(strategy, old, answers));
        let Some(doubt) = &mut self.doubt else { return };
        doubt.trials += u64::from(!apart);
        match old {
            Some(_) if apart => doubt.at_home.push(answers.clone()),
            Some(_) => doubt.repeated.push(trial.x.clone()),
            None => {}
        }
        let mut tests = self.outputs.iter().flat_map(|seen| &seen.tests);
        let repeated = doubt.repeated.last() == Some(&trial.x);
        let over = (repeated && !tests.clone().any(Test::is_open)) || doubt.trials >= PATIENCE;
        // Values of the baseline that speak for nothing are what the next are held against.
        if over || tests.all(Test::is_calm_at_home) {
            let at_home = std::mem::take(&mut doubt.at_home);
            self.home.iter().for_each(|home| self.repeatables.extend(home, &at_home));
        }
        if over && self.change.is_none() {
            self.doubt = None;
            self.outputs.iter_mut().for_each(Seen::compact);
        }
    }

    /// Adds what a repeat says of every output; the first round of a change, where that is enough.
    fn compare(
        &mut self,
        strategy: &Watchful,
        old: &RepeatableSetting,
        answers: &Answers,
    ) -> Option<u64> {
        let (repeats, apart) = (self.repeats(&old.x), self.is_apart(&old.x));
        let mut since = None;
        for (q, (seen, answer)) in self.outputs.iter_mut().zip(answers).enumerate() {
            let Some(answer) = answer else { continue };
            let repeat = old.compared(q, answer, repeats, seen.stretch);
            let (error, fresh) = (repeat.error(), repeat.fresh().min(strategy.most()));
            let needed = strategy.needed(answer.forecast.values);
            for (i, direction) in DIRECTIONS.into_iter().enumerate() {
                let evidence = strategy.evidence(&seen.scores, direction, error);
                let wild = strategy.is_wild(&seen.scores, direction, error);
                let repeat = Repeat { apart, evidence, fresh, wild, asked: answer.asked };
                let found = seen.tests[i].add(repeat, needed);
                since = since.into_iter().chain(found).min();
                if wild && !apart {
                    seen.tests[1 - i].bar();
                }
            }
            seen.held.push(error);
        }
        since
    }
}

/// What raises a doubt about an output.
#[derive(Debug, Clone, Copy, Default)]
struct Raised {
    /// The first round of the doubt, where there is reason for one.
    since: Option<u64>,
    /// What a wild error counts for, in either direction.
    sums: [f64; 2],
}

impl Seen {
    /// What an error of a forecast raises.
    fn doubted(&mut self, strategy: &Watchful, asked: u64, error: f64) -> Raised {
        let mut raised = Raised::default();
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            let evidence = strategy.evidence(&self.scores, direction, error);
            let slides = strategy.slides(&mut self.slides[i], evidence, asked);
            if strategy.is_wild(&self.scores, direction, error) {
                raised = Raised { since: Some(asked), ..raised };
                raised.sums[i] = strategy.most();
            }
            if slides {
                raised.since = Some(self.slides[i].since);
            }
        }
        raised
    }
}

impl State {
    /// What is said of a change once the open round is closed.
    pub(in crate::study) fn change_test(&self, plan: &Plan) -> ChangeTest {
        let mut change_test = self.change_test.clone();
        let Some(strategy) = plan.strategy.learning().repeat_test() else { return change_test };
        let mut told: BTreeMap<u64, Answers> = BTreeMap::new();
        for (q, watch) in self.forecast_errors.iter().enumerate() {
            for answer in watch.heard() {
                let answers = told
                    .entry(answer.number)
                    .or_insert_with(|| vec![None; self.forecast_errors.len()]);
                answers[q] = Some(answer);
            }
        }
        for (number, answers) in told {
            if let Some(trial) = self.trials.get(number) {
                change_test.take(strategy, trial, &answers);
            }
        }
        change_test
    }
}
