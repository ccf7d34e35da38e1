//! The models and all that is decided by them.
//!
//! The engine follows the log only when a decision or a prediction is needed. A fit rebuilds the
//! surrogates, so a process that joins late follows the log from the last fit on; only the strategy
//! that tests residuals needs every round. Copies of a study share an engine until one of them
//! changes.

pub(in crate::study) mod cache;
pub(in crate::study) mod drift_test;
pub(in crate::study) mod profile;
pub(in crate::study) mod refit;
pub(in crate::study) mod skip;
pub(in crate::study) mod sync;

use crate::error::Result;
use crate::gp::Factor;
use crate::policy::score::Score;
use crate::space::Params;
use crate::strategy::Residual;
use crate::study::acquire::decide::Decided;
use crate::study::log::event::{By, Event};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use crate::study::surrogate::background_fit::Fitting;
use crate::study::surrogate::candidates::candidates;
use crate::study::surrogate::context::Context;
use crate::study::surrogate::models::Models;
use profile::Spent;
use skip::SearchSkip;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a study believes. It follows the log, but only as far as a decision or a prediction needed it: to record a result takes no
/// model, and a process that only tells never builds one.
#[derive(Debug, Clone)]
pub(in crate::study) struct Engine {
    /// What decisions read, as far as the log was followed.
    pub(in crate::study) context: Context,
    /// How far that is.
    position: usize,
    /// Residuals of every output since the last change, for the strategy that watches them.
    pub(in crate::study) residuals: Vec<Vec<Residual>>,
    /// What the last search maximised.
    pub(in crate::study) scored: Option<Score>,
    /// What rounds without a search decide by.
    pub(in crate::study) skip: Option<SearchSkip>,
    /// A fit that is due.
    pub(in crate::study) fitting: Option<Fitting>,
}

impl Engine {
    /// An engine that knows nothing yet; `start` is the state before the first event.
    pub(in crate::study) fn new(spec: Arc<Spec>, plan: Arc<Plan>, start: State) -> Result<Self> {
        let few = plan.guards() && spec.baseline.is_some();
        let models = Models::new(candidates(&spec.params, spec.seed, few)?);
        let residuals = vec![Vec::new(); 1 + spec.constraints.len()];
        Ok(Self {
            context: Context::new(spec, plan, start, models),
            position: 0,
            residuals,
            scored: None,
            skip: None,
            fitting: None,
        })
    }

    /// The same where the log that follows takes back or corrects some of itself.
    pub(in crate::study) fn amended(&self, log: &[Event]) -> Self {
        Self { context: self.context.amended(log), ..self.clone() }
    }

    /// How much of the log it has followed.
    pub(in crate::study) fn position(&self) -> usize {
        self.position
    }

    /// Follows what the log has gained. Every round is followed as it was when it was live, so that both end with
    /// the same bits.
    pub(in crate::study) fn replay_log(&mut self, new: &[Event]) -> Result<()> {
        let start = self.first_that_matters(new);
        for (i, event) in new.iter().enumerate() {
            match event {
                Event::Asked { round, decision, .. }
                    if i >= start && self.context.plan.has_models() =>
                {
                    if !self.context.state.changed {
                        self.prepare_fit(*round)?;
                    }
                    let rested = decision.by == By::Rested && self.absorb_results();
                    if !rested {
                        self.sync(*round)?;
                        self.scored = Some(self.context.score(*round)?.0);
                    }
                    self.apply(event);
                    self.plan_skip(!rested, None);
                }
                _ => self.apply(event),
            }
        }
        Ok(())
    }

    /// A fit rebuilds the models, so nothing before the last one is left in them; only residuals are.
    fn first_that_matters(&self, new: &[Event]) -> usize {
        match self.context.plan.strategy.learning().residual_test() {
            Some(_) => 0,
            None => new.iter().rposition(|e| matches!(e, Event::Fitted { .. })).unwrap_or(0),
        }
    }

    /// The same once it has seen and learned what the next decision will.
    pub(in crate::study) fn informed(&self) -> Result<Self> {
        let mut ahead = self.clone();
        if self.context.models.ready() {
            ahead.look(self.context.state.round + 1)?;
            ahead.sync(self.context.state.round + 1)?;
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
                self.context.models.outdate();
                self.fitting = None;
            }
            Event::Changed { .. } => self.fitting = None,
            _ => {}
        }
        self.skip = self.skip.take().filter(|skip| skip.outlives(event));
        self.context.apply(event);
        self.position += 1;
    }

    /// Opens the next round: what was seen, learned and decided, the decision last, and what that took. After an
    /// error the engine is of no more use: its models may have moved.
    pub(in crate::study) fn open(&mut self, given: Option<Params>) -> Result<(Vec<Event>, Spent)> {
        let round = self.context.state.round + 1;
        let start = Instant::now();
        let seen = if self.context.plan.has_models() { self.look(round)? } else { None };
        let refit = start.elapsed();
        let chooses = given.is_none() && self.context.first_design(round).is_none();
        let may_rest = chooses && self.absorb_results();
        let rested = if may_rest { self.decide_by_reuse(round)? } else { None };
        let searched = rested.is_none();
        if searched && self.context.plan.has_models() {
            self.sync(round)?;
        }
        let update = start.elapsed() - refit;
        let Decided { params, decision, score, search, recent } =
            rested.map_or_else(|| self.context.decide(round, given), Ok)?;
        let spent = Spent {
            refit,
            update,
            score: search.score,
            polish: search.polish,
            rest: Duration::ZERO,
            expansions: search.expansions,
            observations: self.context.models.factors().map(Factor::len).max().unwrap_or(0),
            factors: self.context.models.factors().count(),
            candidates: self.context.models.candidates().len(),
            searched,
            refitted: matches!(seen, Some(Event::Fitted { .. })),
        };
        if searched {
            self.scored = score;
        }
        let number = self.context.state.trials.count();
        let asked = Event::Asked { number, round, params, decision };
        self.apply(&asked);
        self.plan_skip(searched, recent);
        self.fitting.iter().for_each(Fitting::begin);
        Ok((seen.into_iter().chain([asked]).collect(), spent))
    }
}
