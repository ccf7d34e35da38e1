//! Gives trials to the workers and records their results: one worker at a time has the study.

use super::config::Config;
use super::record;
use super::rescue::{Rescue, is_of_the_store};
use super::stop;
use crate::common::text;
use crate::run::metrics::reader::Reading;
use crate::run::output::counts;
use crate::run::output::screen::Screen;
use crate::run::output::stop_reason::StopReason;
use anyhow::{Context, Result};
use rpol::store::{Shared, Worker, standing};
use rpol::study::{By, Suggestion, Trial, TrialState};
use rpol::{Error, Study};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// What a worker is to do.
pub(crate) enum Next {
    /// Run a trial.
    Trial(Suggestion),
    /// Ask again in a while.
    Wait,
    /// Nothing more: there is a reason to stop.
    End,
}

pub(crate) struct Coordinator<'a> {
    config: &'a Config,
    screen: &'a dyn Screen,
    worker: String,
    began: Instant,
    state: Mutex<State>,
}

struct State {
    shared: Shared,
    failures_in_a_row: u32,
    stopped: Option<StopReason>,
    /// Constraints whose spent budget has been spoken of.
    warned: Vec<String>,
    /// Where what is measured goes since the store has failed.
    rescue: Option<Rescue>,
}

impl<'a> Coordinator<'a> {
    pub(crate) fn new(config: &'a Config, shared: Shared, screen: &'a dyn Screen) -> Self {
        let warned = Vec::new();
        let state = State { shared, failures_in_a_row: 0, stopped: None, warned, rescue: None };
        let (worker, began) = (Worker::own().name(), Instant::now());
        Self { config, screen, worker, began, state: Mutex::new(state) }
    }

    /// What a worker is to do next.
    pub(crate) fn next(&self) -> Result<Next> {
        let mut state = self.lock();
        self.kept(&mut state, Shared::refresh)?;
        if state.stopped.is_none() {
            state.stopped = stop::reason(self.config, state.shared.study(), self.began);
        }
        if state.stopped.is_some() {
            return Ok(Next::End);
        }
        if self.must_measure_the_baseline(state.shared.study()) {
            drop(state);
            return Ok(self.baseline()?.map_or(Next::End, Next::Trial));
        }
        let lease = self.config.run.lease.duration();
        let rounds = self.config.rounds();
        let more =
            |study: &Study| counts::asked(study) < rounds && !self.awaits_the_baseline(study);
        match state.shared.issue_while(&self.worker, lease, more) {
            Ok(Some(issued)) => {
                self.screen.began(state.shared.study(), &issued.suggestion);
                Ok(Next::Trial(issued.suggestion))
            }
            Ok(None) if self.awaits_the_baseline(state.shared.study()) => Ok(Next::Wait),
            Ok(None) => Ok(state.stop(StopReason::Rounds(rounds))),
            Err(error @ Error::Infeasible { .. }) => {
                Ok(state.stop(StopReason::Infeasible(error.to_string())))
            }
            Err(error) => {
                self.lose(&mut state, error)?;
                Ok(Next::End)
            }
        }
    }

    /// Works on the study. Where the store fails, goes on with what is in memory: nothing that was measured is given up.
    fn kept<T>(
        &self,
        state: &mut State,
        mut work: impl FnMut(&mut Shared) -> rpol::Result<T>,
    ) -> Result<T> {
        let outcome = match work(&mut state.shared) {
            Err(error) if is_of_the_store(&error) && state.rescue.is_none() => {
                self.lose(state, error)?;
                work(&mut state.shared)
            }
            outcome => outcome,
        }?;
        state.rescue.iter().try_for_each(|rescue| rescue.write(&state.shared))?;
        Ok(outcome)
    }

    /// Leaves a store that has failed: the run ends, and its log goes to a file.
    fn lose(&self, state: &mut State, error: Error) -> Result<()> {
        if !is_of_the_store(&error) || state.rescue.is_some() {
            return Err(error.into());
        }
        let study = &self.config.spec.name;
        let rescue = Rescue::beside(&self.config.storage, study).context(error.to_string())?;
        state.shared = state.shared.apart()?;
        rescue.write(&state.shared)?;
        let place = format!("all that was measured is in {}: rpol import it", rescue.path());
        state.stop(StopReason::Lost(error.to_string(), place));
        state.rescue = Some(rescue);
        Ok(())
    }

    /// Whether the baseline was tried, by this run or one before, and never came to an end that was no failure.
    fn must_measure_the_baseline(&self, study: &Study) -> bool {
        let mut tried = self.trials_of_the_baseline(study).peekable();
        tried.peek().is_some() && tried.all(|trial| trial.state == TrialState::Fail)
    }

    /// Whether the baseline is being measured for the first time: nothing else is tried on a system that may be broken
    /// already. Who asked for a trial by hand, without a lease, is not waited for.
    fn awaits_the_baseline(&self, study: &Study) -> bool {
        let mut runs = false;
        for trial in self.trials_of_the_baseline(study) {
            if trial.state == TrialState::Complete {
                return false;
            }
            runs |= trial.lease.is_some() && standing(trial) == TrialState::Running;
        }
        runs
    }

    fn trials_of_the_baseline<'s>(&self, study: &'s Study) -> impl Iterator<Item = &'s Trial> {
        let space = &self.config.spec.params;
        let baseline = self.config.spec.baseline.as_ref();
        let at = baseline.and_then(|baseline| space.encode(&baseline.params).ok());
        let is_there = move |t: &&Trial| at.is_some() && space.encode(&t.params).ok() == at;
        study.trials().iter().filter(is_there)
    }

    /// The baseline once more, claimed like any trial; none where it is what was run last.
    pub(crate) fn baseline(&self) -> Result<Option<Suggestion>> {
        let Some(baseline) = &self.config.spec.baseline else { return Ok(None) };
        let (space, mut state) = (&self.config.spec.params, self.lock());
        let at_baseline = space.encode(&baseline.params)?;
        let in_place = state.shared.study().trials().last().is_some_and(|trial| {
            trial.state == TrialState::Complete
                && space.encode(&trial.params).is_ok_and(|x| x == at_baseline)
        });
        if in_place {
            return Ok(None);
        }
        let lease = self.config.run.lease.duration();
        let issue = |shared: &mut Shared| shared.issue_for(&baseline.params, &self.worker, lease);
        let trial = self.kept(&mut state, issue)?;
        self.screen.began(state.shared.study(), &trial);
        Ok(Some(trial))
    }

    /// Why a trial failed, if it did.
    pub(crate) fn failure(&self, trial: &Suggestion) -> Option<String> {
        let state = self.lock();
        let trial = state.shared.study().trials().get(trial.number as usize)?;
        (trial.state == TrialState::Fail).then(|| trial.reason.clone().unwrap_or_default())
    }

    /// Records what a trial gave. One that gave nothing, as its metrics go by other names, stays open: it says nothing
    /// of the system, and is run again once that is mended.
    pub(crate) fn record_result(&self, trial: &Suggestion, reading: &Reading) -> Result<()> {
        let mut state = self.lock();
        let problem = || reading.problem.clone().unwrap_or_default();
        if lacks(state.shared.study(), reading) {
            state.stop(StopReason::Lacking(problem()));
            if reading.metrics.is_empty() {
                self.screen.note(&format!("trial {} stays open: {}", trial.number, problem()));
                return self.kept(&mut state, |shared| shared.release(trial.number, &self.worker));
            }
        }
        let record =
            |shared: &mut Shared| shared.change(|study| record::record(study, trial, reading));
        let number = self.kept(&mut state, record).with_context(|| {
            let measured = text::metrics(&reading.metrics);
            format!("trial {} gave {measured}, which cannot be kept", trial.number)
        })?;
        self.screen.ended(state.shared.study(), number);
        if let Some(note) = &reading.note {
            self.screen.note(&format!("trial {number}: {note}"));
        }
        let study = state.shared.study();
        let of_baseline = self.must_measure_the_baseline(study) || is_baseline(study, number);
        if reading.problem.is_some() && of_baseline {
            state.stop(StopReason::Baseline(problem()));
        }
        state.count_failures(self.config.run.max_failures, reading.problem.as_deref());
        self.warn(&mut state);
        Ok(())
    }

    fn warn(&self, state: &mut State) {
        for account in state.shared.study().ledger().iter().filter(|account| account.is_spent()) {
            if !state.warned.contains(&account.constraint) {
                let (total, budget) = (account.total, account.budget.unwrap_or_default());
                let spent = format!("{} of {}", text::number(total), text::number(budget));
                let limit = &account.constraint;
                self.screen.note(&format!("the budget of `{limit}` is spent: {spent}"));
                state.warned.push(account.constraint.clone());
            }
        }
    }

    /// Says that a trial is still being run; whether that could be said now. The others are not kept waiting for it.
    pub(crate) fn renew(&self, trial: &Suggestion, lease: Duration) -> bool {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        // A store that cannot be written will be noticed with the result; a lease alone is not worth a failure.
        let _ = state.shared.renew(trial.number, &self.worker, lease);
        true
    }

    /// Leaves a trial to whoever comes next.
    pub(crate) fn release(&self, trial: &Suggestion) -> Result<()> {
        let mut state = self.lock();
        state.stop(StopReason::Interrupted);
        self.kept(&mut state, |shared| shared.release(trial.number, &self.worker))
    }

    pub(crate) fn stop(&self, stopped: StopReason) {
        self.lock().stop(stopped);
    }

    /// Why it was stopped, and the study.
    pub(crate) fn finish(self) -> (Option<StopReason>, Shared) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.stopped, state.shared)
    }

    pub(crate) fn stopped(&self) -> Option<StopReason> {
        self.lock().stopped.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a command's output has nothing of a metric that no trial ever had.
fn lacks(study: &Study, reading: &Reading) -> bool {
    let known = |metric: &String| study.trials().iter().any(|t| t.metrics.contains_key(metric));
    reading.lacking.iter().any(|metric| !known(metric))
}

/// Whether a trial is the baseline by the study's own choice.
fn is_baseline(study: &Study, number: u64) -> bool {
    let decision = study.trial(number).ok().and_then(|trial| trial.decision.as_ref());
    decision.is_some_and(|decision| decision.by == By::Baseline)
}

impl State {
    /// The first reason stands, except that the user has the last word, unless the store is lost.
    fn stop(&mut self, stopped: StopReason) -> Next {
        let is_said = matches!(self.stopped, Some(StopReason::Lost(..)));
        let goes_first = matches!(stopped, StopReason::Interrupted | StopReason::Lost(..));
        if self.stopped.is_none() || (goes_first && !is_said) {
            self.stopped = Some(stopped);
        }
        Next::End
    }

    fn count_failures(&mut self, most: u32, problem: Option<&str>) {
        self.failures_in_a_row = problem.map_or(0, |_| self.failures_in_a_row + 1);
        if let Some(problem) = problem.filter(|_| self.failures_in_a_row >= most) {
            self.stop(StopReason::Failures(self.failures_in_a_row, problem.into()));
        }
    }
}
