//! The models and all that is decided by them.
//!
//! The engine follows the log only when a decision or a prediction is needed. A fit rebuilds the
//! surrogates, so a process that joins late follows the log from the last fit on; only the strategy
//! that tests residuals needs every round. Copies of a study share an engine until one of them
//! changes.

use super::algorithm::Plan;
use super::candidates::candidates;
use super::decide::Decided;
use super::event::{By, Event};
use super::fitting::Fitting;
use super::model::Models;
use super::rest::Rest;
use super::spec::Spec;
use super::spent::Spent;
use super::state::State;
use crate::error::Result;
use crate::gp::Factor;
use crate::policy::score::Score;
use crate::space::Params;
use crate::strategy::{Residual, Strategy};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a study believes. It follows the log, but only as far as somebody has asked: to record a result takes no
/// model, and a process that only tells never builds one.
#[derive(Debug, Clone)]
pub(super) struct Mind {
    pub(super) spec: Arc<Spec>,
    pub(super) plan: Arc<Plan>,
    /// What the log adds up to, as far as it was followed.
    pub(super) state: State,
    /// How far that is.
    position: usize,
    pub(super) models: Models,
    /// Residuals of every output since the last change, for the strategy that watches them.
    pub(super) residuals: Vec<Vec<Residual>>,
    /// What the last search maximised.
    pub(super) scored: Option<Score>,
    /// What rounds without a search decide by.
    pub(super) rest: Option<Rest>,
    /// A fit that is due.
    pub(super) fitting: Option<Fitting>,
}

impl Mind {
    /// A mind that knows nothing yet; `start` is the state before the first event.
    pub(super) fn new(spec: Arc<Spec>, plan: Arc<Plan>, start: State) -> Result<Self> {
        let few = plan.guards() && spec.baseline.is_some();
        let models = Models::new(candidates(&spec.params, spec.seed, few)?);
        let residuals = vec![Vec::new(); 1 + spec.constraints.len()];
        Ok(Self {
            spec,
            plan,
            state: start,
            position: 0,
            models,
            residuals,
            scored: None,
            rest: None,
            fitting: None,
        })
    }

    /// The same where the log that follows takes back or corrects some of itself.
    pub(super) fn amended(&self, log: &[Event]) -> Self {
        Self { state: self.state.amended(log), ..self.clone() }
    }

    /// How much of the log it has followed.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Follows what the log has gained. Every round is followed as it was when it was live, so that both end with
    /// the same bits.
    pub(super) fn follow_log(&mut self, new: &[Event]) -> Result<()> {
        let start = self.first_that_matters(new);
        for (i, event) in new.iter().enumerate() {
            match event {
                Event::Asked { round, decision, .. } if i >= start && self.plan.has_models() => {
                    if !self.state.changed {
                        self.prepare_fit(*round)?;
                    }
                    let rested = decision.by == By::Rested && self.take_in_told();
                    if !rested {
                        self.follow(*round)?;
                        self.scored = Some(self.score(*round)?.0);
                    }
                    self.apply(event);
                    self.rest_after(!rested, None);
                }
                _ => self.apply(event),
            }
        }
        Ok(())
    }

    /// A fit begins the models anew, so nothing before the last one is left in them; only residuals are.
    fn first_that_matters(&self, new: &[Event]) -> usize {
        match self.plan.strategy {
            Strategy::EventTriggered(_) => 0,
            _ => new.iter().rposition(|e| matches!(e, Event::Fitted { .. })).unwrap_or(0),
        }
    }

    /// The same once it has seen and learned what the next decision will.
    pub(super) fn informed(&self) -> Result<Self> {
        let mut ahead = self.clone();
        if self.models.ready() {
            ahead.look(self.state.round + 1)?;
            ahead.follow(self.state.round + 1)?;
        }
        Ok(ahead)
    }

    /// Sees what was revealed before a round: whether the system changed, what fits it now.
    fn look(&mut self, round: u64) -> Result<Option<Event>> {
        // A fit would learn from what has just ended.
        let event = match self.watch(round)? {
            Some(changed) => Some(changed),
            None => self.refit(round)?,
        };
        event.iter().for_each(|event| self.apply(event));
        Ok(event)
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Fitted { .. } => {
                self.models.outdate();
                self.fitting = None;
            }
            Event::Changed { .. } => self.fitting = None,
            _ => {}
        }
        self.rest = self.rest.take().filter(|rest| rest.outlives(event));
        self.state.apply(&self.spec, &self.plan, event);
        // The books may need them again; decisions do not.
        self.state.forget_before(self.state.settled.trials);
        self.position += 1;
    }

    /// Opens the next round: what was seen, learned and decided, the decision last, and what that took. After an
    /// error the mind is of no more use: its models may have moved.
    pub(super) fn open(&mut self, given: Option<Params>) -> Result<(Vec<Event>, Spent)> {
        let round = self.state.round + 1;
        let start = Instant::now();
        let seen = if self.plan.has_models() { self.look(round)? } else { None };
        let refit = start.elapsed();
        let chooses = given.is_none() && self.first_design(round).is_none();
        let may_rest = chooses && self.take_in_told();
        let rested = if may_rest { self.decide_at_rest(round)? } else { None };
        let searched = rested.is_none();
        if searched && self.plan.has_models() {
            self.follow(round)?;
        }
        let update = start.elapsed() - refit;
        let Decided { params, decision, score, search, hand } =
            rested.map_or_else(|| self.decide(round, given), Ok)?;
        let spent = Spent {
            refit,
            update,
            score: search.score,
            polish: search.polish,
            rest: Duration::ZERO,
            expansions: search.expansions,
            observations: self.models.factors().map(Factor::len).max().unwrap_or(0),
            factors: self.models.factors().count(),
            candidates: self.models.candidates().len(),
            searched,
            refitted: matches!(seen, Some(Event::Fitted { .. })),
        };
        if searched {
            self.scored = score;
        }
        let number = self.state.trials.count();
        let asked = Event::Asked { number, round, params, decision };
        self.apply(&asked);
        self.rest_after(searched, hand);
        self.fitting.iter().for_each(Fitting::begin);
        Ok((seen.into_iter().chain([asked]).collect(), spent))
    }
}
