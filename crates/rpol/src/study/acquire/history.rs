//! What is known before the first round: trials that were run elsewhere stand in for a first design.
//!
//! A design looks where nothing is known. History is known already, so each of its trials takes the
//! place of a setting of the design, and no setting is tried where history has a violation nearby
//! and nothing good that is nearer. Without history nothing here changes a decision.

use crate::space::Params;
use crate::study::log::trial::Trial;
use crate::study::surrogate::context::Context;

/// Farther than this share of the range, in some coordinate, a violation says nothing of a setting.
const NEAR: f64 = 0.25;

impl Context<'_> {
    /// Trials of history that are complete.
    pub(super) fn known_history(&self) -> u64 {
        self.history().count() as u64
    }

    /// Whether history has this setting, and over a limit on average of what it measured there.
    pub(super) fn is_known_to_violate(&self, params: &Params) -> bool {
        let Ok(x) = self.spec.params.encode(params) else { return false };
        let there: Vec<bool> =
            self.history().filter(|(trial, _)| trial.x == x).map(|(_, is_good)| is_good).collect();
        !there.is_empty() && 2 * there.iter().filter(|is_good| **is_good).count() < there.len()
    }

    /// Whether the nearest trial of history is near, and went over a limit.
    pub(super) fn is_near_a_violation(&self, x: &[f64]) -> bool {
        let distance = |trial: &Trial| {
            let apart = trial.x.iter().zip(x).map(|(a, b)| (a - b).abs().min(1.0));
            apart.fold(0.0, f64::max)
        };
        let known = self.history().map(|(trial, is_good)| (distance(trial), is_good));
        let nearest = known.min_by(|(a, _), (b, _)| a.total_cmp(b));
        nearest.is_some_and(|(distance, is_good)| !is_good && distance <= NEAR)
    }

    /// Trials that were not asked for, and whether they kept every limit, where that is known.
    fn history(&self) -> impl Iterator<Item = (&Trial, bool)> {
        let added = self.state.trials.kept().iter().filter(|trial| trial.decision.is_none());
        added.filter_map(|trial| Some((trial, trial.is_feasible()?)))
    }
}
