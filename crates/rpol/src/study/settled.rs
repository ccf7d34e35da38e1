//! The part of the history that is over: kept as what it adds up to.
//!
//! Compaction: once there are more than 512 trials, all but the last 256 become sums, as far as
//! they are done and no suspected change dates back to them. Costs, units of the outputs and the
//! rows of the surrogates are carried as sums, and the other trials are added in the same order, so
//! no bit of a decision depends on what was compacted. The surrogate gets one row per setting:
//! measurements that share the unknown noise as count, mean and scatter, those with their own
//! standard error by precision, both in the output's unit. A fit or a change of scale needs no
//! single value.
//!
//! Compaction happens at an `asked`, as a function of the log, so a replay compacts the same
//! trials. Strategies with a window compact what has left it. Strategies that weigh the past by age
//! or by who acted (`discounted`, `censored`, MASTER) see every trial again and are not made for
//! endless studies. A trial that stays open stops compaction: fail it.

use super::algorithm::Plan;
use super::gathering::Gathering;
use super::ledger::Tally;
use super::places::Places;
use super::spec::Spec;
use super::state::State;
use super::thin::Merged;
use super::trial::Trial;
use super::view::View;

/// How many trials at least stay as they are.
pub(super) const KEEP: usize = 256;
/// So many times as many wait for a suspected change to be confirmed or not.
const PATIENCE: usize = 16;

/// What the trials at the beginning of a study add up to. Whoever adds up all trials goes on from here with the others,
/// in the same order: so it makes no difference to a decision how much is settled.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// How many.
    pub(super) trials: u64,
    /// Costs of each constraint.
    pub(super) tallies: Vec<Tally>,
    /// For the unit of each output.
    pub(super) places: Vec<Places>,
    /// For the models.
    pub(super) gathering: Gathering,
    /// What was merged to keep settings few.
    pub(super) merged: Option<Merged>,
}

impl Settled {
    pub(super) fn new(constraints: usize) -> Self {
        // Failing is the last of them.
        let outputs = 2 + constraints;
        Self {
            trials: 0,
            tallies: vec![Tally::default(); constraints],
            places: vec![Places::default(); outputs],
            gathering: Gathering::new(outputs),
            merged: None,
        }
    }

    /// Drops what the models know of it: the system has changed since.
    pub(super) fn outdate(&mut self) {
        let outputs = self.places.len();
        self.places = vec![Places::default(); outputs];
        self.gathering = Gathering::new(outputs);
    }

    fn take(&mut self, trial: &Trial, view: Option<&View<'_>>) {
        self.trials += 1;
        for (i, tally) in self.tallies.iter_mut().enumerate() {
            tally.note(trial, i + 1);
        }
        let Some(view) = view else { return };
        for (q, places) in self.places.iter_mut().enumerate() {
            if let Some(value) = view.sighting(trial, q).and_then(|seen| seen.value) {
                places.note(&trial.x, value);
            }
        }
        view.gather(trial, &mut self.gathering);
    }
}

impl State {
    /// Trials that are not settled.
    pub(super) fn unsettled(&self) -> &[Trial] {
        self.trials.from(self.settled.trials)
    }

    /// Settles the oldest trials once there are many. A function of the log alone: a replay settles the same ones.
    pub(super) fn settle(&mut self, spec: &Spec, plan: &Plan) {
        let count = self.unsettled().len();
        if count <= plan.keep.saturating_mul(2) {
            return;
        }
        let limit = self.first_open_round(plan, count > PATIENCE.saturating_mul(plan.keep));
        let outputs = spec.outputs();
        let over = |trial: &&Trial| trial.is_done(&outputs) && trial.round.max(1) < limit;
        let ready = self.unsettled().iter().take(count - plan.keep).take_while(over).count();
        if ready == 0 {
            return;
        }
        let fitted = self.beliefs(plan);
        let (memory, t) = (&self.memory, self.round + 1);
        let view = View { plan, memory, t, fitted: &fitted, alike: false };
        let mut settled = self.settled.clone();
        let known = settled.gathering.len();
        let seen = (plan.accumulates() && plan.has_models()).then_some(&view);
        self.unsettled()[..ready].iter().for_each(|trial| settled.take(trial, seen));
        settled.thin(plan.distinct, known, &fitted);
        self.settled = settled;
        self.forget_settings();
    }

    /// The first round that may still be seen otherwise than now: in a window, or by the date of a change.
    fn first_open_round(&self, plan: &Plan, impatient: bool) -> u64 {
        if !plan.accumulates() {
            let t = self.round + 1;
            let first = plan.strategy.learning().first(&self.memory, t);
            return first.max(plan.policy.rule().data_from(t));
        }
        self.vigil.since().filter(|_| !impatient).unwrap_or(u64::MAX)
    }
}

impl Plan {
    /// Whether what was seen once is seen the same way until a change.
    pub(super) fn accumulates(&self) -> bool {
        let sees_all = self.policy.rule().data_from(u64::MAX) == 0;
        sees_all && self.strategy.learning().accumulates()
    }
}
