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

pub(in crate::study) mod merge;

use crate::constraint::Constraint;
use crate::study::data::scale_bins::ScaleBins;
use crate::study::data::table::SettingTable;
use crate::study::data::tally::Tally;
use crate::study::data::visible::View;
use crate::study::log::trial::Trial;
use merge::Merged;
use serde::{Deserialize, Serialize};

/// What the trials at the beginning of a study add up to. Sums over all trials go on from here with the others,
/// in the same order: so it makes no difference to a decision how much is compacted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::study) struct Compacted {
    /// How many.
    pub(in crate::study) trials: u64,
    /// Costs of each constraint.
    pub(in crate::study) tallies: Vec<Tally>,
    /// For the unit of each output.
    pub(in crate::study) bins: Vec<ScaleBins>,
    /// For the models.
    pub(in crate::study) table: SettingTable,
    /// What was merged to keep settings few.
    pub(in crate::study) merged: Option<Merged>,
}

impl Compacted {
    pub(in crate::study) fn new(constraints: usize) -> Self {
        // Failing is the last of them.
        let outputs = 2 + constraints;
        Self {
            trials: 0,
            tallies: vec![Tally::default(); constraints],
            bins: vec![ScaleBins::default(); outputs],
            table: SettingTable::new(outputs),
            merged: None,
        }
    }

    /// Drops what the models know of it: the system has changed since.
    pub(in crate::study) fn outdate(&mut self) {
        let outputs = self.bins.len();
        self.bins = vec![ScaleBins::default(); outputs];
        self.table = SettingTable::new(outputs);
    }

    pub(in crate::study) fn take(
        &mut self,
        trial: &Trial,
        limits: &[Constraint],
        view: Option<&View<'_>>,
    ) {
        self.trials += 1;
        for (i, (tally, limit)) in self.tallies.iter_mut().zip(limits).enumerate() {
            tally.note(trial, i + 1, limit.metric());
        }
        let Some(view) = view else { return };
        for (q, bins) in self.bins.iter_mut().enumerate() {
            if let Some(value) = view.visible_value(trial, q).and_then(|seen| seen.value) {
                bins.note(&trial.x, value);
            }
        }
        view.gather(trial, &mut self.table);
    }
}
