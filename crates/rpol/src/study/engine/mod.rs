//! The models and all that is decided by them.
//!
//! An engine is built when a decision or a prediction is first needed. It has no state: each call is
//! handed that of the study, so an event is folded once. A fit rebuilds the surrogates, so a process
//! that joins late follows the decisions from the last fit on; only the strategy that tests
//! residuals needs every round. Each must be followed in the state that it was made in: an engine
//! that is there follows another writer's decision as it is recorded, and one that joins late folds
//! the log again, once (`in_step.rs`). Copies of a study share an engine until one of them changes.

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
use crate::study::acquire::recent::RecentSettings;
use crate::study::log::event::{By, Event};
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;
use crate::study::state::State;
use crate::study::surrogate::background_fit::Fitting;
use crate::study::surrogate::candidates::candidates;
use crate::study::surrogate::context::Context;
use crate::study::surrogate::models::Models;
use profile::AskProfile;
use skip::SearchSkip;
use std::sync::Arc;
use std::time::Instant;

/// After a decision of such a round nothing is left of the models but what the log says: a process that joins later need not
/// follow what came before, and a snapshot needs no models. A fit takes no longer than these rounds, so one that is given up
/// here is done before the next of them.
pub(in crate::study) fn begins_anew(round: u64) -> bool {
    round >= FIRST_ANEW && round.is_multiple_of(ANEW)
}

/// Rounds between two new beginnings: the models are built again once in so many asks.
const ANEW: u64 = 128;
/// The first of them: shorter logs are read fast enough.
const FIRST_ANEW: u64 = 512;

/// What a study believes. To record a result takes no model, and a process that only tells never builds one.
#[derive(Debug, Clone)]
pub(in crate::study) struct Engine {
    pub(in crate::study) spec: Arc<Spec>,
    pub(in crate::study) plan: Arc<Plan>,
    pub(in crate::study) models: Models,
    /// How many entries of the log it has followed.
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

/// A decision that is not in the log yet.
pub(in crate::study) struct Opened {
    pub(in crate::study) asked: Event,
    /// Whether it took a search.
    pub(in crate::study) searched: bool,
    /// What the search maximised, and the recent settings as it saw them.
    score: Option<Score>,
    recent: Option<RecentSettings>,
    pub(in crate::study) profile: AskProfile,
}

impl Engine {
    /// An engine that knows nothing yet.
    pub(in crate::study) fn new(spec: Arc<Spec>, plan: Arc<Plan>) -> Result<Self> {
        let few = plan.guards() && spec.baseline.is_some();
        let models = Models::new(candidates(&spec.params, spec.outputs().len(), spec.seed, few)?);
        let residuals = vec![Vec::new(); 1 + spec.constraints.len()];
        let (scored, skip, fitting) = (None, None, None);
        Ok(Self { spec, plan, models, position: 0, residuals, scored, skip, fitting })
    }

    /// What decisions read.
    pub(in crate::study) fn context<'a>(&'a self, state: &'a State) -> Context<'a> {
        Context { spec: &self.spec, plan: &self.plan, state, models: &self.models }
    }

    /// How much of the log it has followed.
    pub(in crate::study) fn position(&self) -> usize {
        self.position
    }

    /// The same where the log before it was not followed.
    pub(in crate::study) fn at(self, position: usize) -> Self {
        Self { position, ..self }
    }

    /// The first entry of a log that is left in the models once it is followed: they begin anew with a fit, and in some
    /// rounds. Only residuals are of all entries.
    pub(in crate::study) fn first_that_matters(plan: &Plan, new: &[Event]) -> usize {
        let anew = |event: &Event| match event {
            Event::Fitted { .. } => true,
            Event::Asked { round, .. } => begins_anew(*round),
            _ => false,
        };
        match plan.strategy.learning().residual_test() {
            Some(_) => 0,
            None => new.iter().rposition(anew).map_or(0, |place| place + 1),
        }
    }

    /// Goes through a decision of the log as it went when it was live, so that both end with the same bits. `state` is
    /// that before the decision, and then that after it; an error leaves it as it was.
    pub(in crate::study) fn replay(&mut self, asked: &Event, state: &mut State) -> Result<()> {
        let Event::Asked { round, decision, .. } = asked else { unreachable!("only decisions") };
        if !state.changed {
            self.prepare_fit(state, *round)?;
        }
        let reused = decision.by == By::Reused && self.absorb_results(state);
        if !reused {
            self.sync(state, *round)?;
            self.scored = Some(self.context(state).score(*round)?.0);
        }
        state.apply(&self.spec, &self.plan, asked);
        self.hear(asked);
        self.plan_skip(state, !reused, None);
        Ok(())
    }

    /// Notes an event that was recorded.
    pub(in crate::study) fn hear(&mut self, event: &Event) {
        match event {
            Event::Fitted { .. } => {
                self.models.outdate();
                self.fitting = None;
            }
            Event::Changed { .. } => self.fitting = None,
            Event::Asked { round, .. } if begins_anew(*round) => {
                self.models.outdate();
                (self.fitting, self.skip) = (None, None);
            }
            Event::Revised(revision) => {
                if let Ok((spec, plan)) = revision.revised(&self.spec) {
                    (self.spec, self.plan) = (spec, plan);
                }
                self.models.outdate();
                self.fitting = None;
            }
            _ => {}
        }
        self.skip = self.skip.take().filter(|skip| skip.outlives(event));
        self.position += 1;
    }

    /// Sees what was revealed before a round: whether the system changed, what fits it now. What comes of it is to be
    /// recorded before the decision.
    pub(in crate::study) fn look(&mut self, state: &State, round: u64) -> Result<Option<Event>> {
        if !self.plan.has_models() {
            return Ok(None);
        }
        // A fit would learn from what has just ended.
        let event = match self.watch(state, round)? {
            Some(changed) => Some(changed),
            None => self.refit(state, round)?,
        };
        event.iter().for_each(|event| self.hear(event));
        Ok(event)
    }

    /// Decides the next round. After an error the engine is of no more use: its models may have moved.
    pub(in crate::study) fn open(
        &mut self,
        state: &State,
        given: Option<Params>,
    ) -> Result<Opened> {
        let (round, start) = (state.round + 1, Instant::now());
        let chooses = given.is_none() && self.context(state).first_design(round).is_none();
        let may_reuse = chooses && self.absorb_results(state);
        let reused = if may_reuse { self.decide_by_reuse(state, round)? } else { None };
        let searched = reused.is_none();
        if searched && self.plan.has_models() {
            self.sync(state, round)?;
        }
        let update = start.elapsed();
        let Decided { params, decision, score, search, recent } =
            reused.map_or_else(|| self.context(state).decide(round, given), Ok)?;
        let profile = AskProfile {
            update,
            score: search.score,
            polish: search.polish,
            expansions: search.expansions,
            observations: self.models.factors().map(Factor::len).max().unwrap_or(0),
            factors: self.models.factors().count(),
            candidates: self.models.candidates().len(),
            searched,
            ..AskProfile::default()
        };
        let asked = Event::Asked { number: state.trials.count(), round, params, decision };
        Ok(Opened { asked, searched, score, recent, profile })
    }

    /// Notes its own decision once that is recorded.
    pub(in crate::study) fn opened(&mut self, state: &State, opened: Opened) -> AskProfile {
        if opened.searched {
            self.scored = opened.score;
        }
        self.hear(&opened.asked);
        self.plan_skip(state, opened.searched, opened.recent);
        self.fitting.iter().for_each(Fitting::begin);
        opened.profile
    }
}
