//! When trials become a part of the sums.

use super::State;
use crate::study::data::tally::Tally;
use crate::study::data::visible::View;
use crate::study::log::trial::Trial;
use crate::study::spec::Spec;
use crate::study::spec::plan::Plan;

/// This many times as many wait for a suspected change to be confirmed or not.
const PATIENCE: usize = 16;

impl State {
    /// Trials that are not compacted.
    pub(in crate::study) fn uncompacted(&self) -> &[Trial] {
        self.trials.from(self.compacted.trials)
    }

    /// Compacts the oldest trials once there are many. A function of the log alone: a replay compacts the same ones.
    pub(in crate::study) fn compact(&mut self, spec: &Spec, plan: &Plan) {
        let count = self.uncompacted().len();
        if count <= plan.keep.saturating_mul(2) {
            return;
        }
        let limit = self.first_open_round(plan, count > PATIENCE.saturating_mul(plan.keep));
        let outputs = spec.outputs();
        let over = |trial: &&Trial| trial.is_done(&outputs) && trial.round.max(1) < limit;
        let ready = self.uncompacted().iter().take(count - plan.keep).take_while(over).count();
        if ready == 0 {
            return;
        }
        let fitted = self.beliefs(plan);
        let (memory, t) = (&self.memory, self.round + 1);
        let view = View { plan, memory, t, fitted: &fitted, alike: false };
        let mut compacted = self.compacted.clone();
        let known = compacted.table.len();
        let seen = (plan.accumulates() && plan.has_models()).then_some(&view);
        self.uncompacted()[..ready]
            .iter()
            .for_each(|trial| compacted.take(trial, &spec.constraints, seen));
        compacted.thin(plan.distinct, known, &fitted);
        self.compacted = compacted;
        self.drop_setting_ids();
    }

    /// The first round that may still be seen otherwise than now: in a window, or by the date of a change.
    fn first_open_round(&self, plan: &Plan, impatient: bool) -> u64 {
        if !plan.accumulates() {
            let t = self.round + 1;
            let first = plan.strategy.learning().first(&self.memory, t);
            return first.max(plan.policy.rule().data_from(t));
        }
        self.change_test.since().filter(|_| !impatient).unwrap_or(u64::MAX)
    }

    /// The costs of an output so far.
    pub(in crate::study) fn tally(&self, spec: &Spec, output: usize) -> Tally {
        let (mut tally, limit) =
            (self.compacted.tallies[output - 1].clone(), &spec.constraints[output - 1]);
        let metric = limit.metric();
        self.uncompacted().iter().for_each(|trial| tally.note(trial, output, metric));
        tally.stated = spec.failure.excess(limit, self.baseline.get(metric).copied());
        tally
    }

    /// Trials whose value of an output the models wait for; compacted ones wait for nothing.
    pub(in crate::study) fn pending(&self, output: usize) -> u64 {
        let waiting = |trial: &&Trial| trial.counts(output) && trial.values[output].is_none();
        self.uncompacted().iter().filter(waiting).count() as u64
    }
}
