//! Settings that are measured again because the system may have changed.

use crate::policy::Guarded;
use crate::space::{Coordinate, Params, Space};
use crate::study::log::event::Promise;
use crate::study::log::trial::TrialState;
use crate::study::state::repeatable::RepeatableSetting;
use crate::study::surrogate::context::Context;

impl Context<'_> {
    /// The baseline, where it was not measured since the last change was noticed: a promised risk rests on it.
    pub(in crate::study) fn baseline_again(&self) -> Option<Params> {
        let baseline = self.spec.baseline.as_ref().filter(|_| self.state.unmeasured)?;
        self.plan.guards().then(|| baseline.params.clone())
    }

    /// While there is a doubt: of the settings measured before, the one nearest to where it arose. Under a promise none that
    /// went over a limit: that costs a trial, and of a limit that was broken before it tells little. A repeat is charged like
    /// any trial of a known setting, and there is none where only the baseline may be played.
    pub(in crate::study) fn recheck(&self) -> Option<Params> {
        let change_test = self.state.change_test(self.plan);
        let doubt = change_test.doubt().filter(|_| change_test.change().is_none())?;
        if self.plan.guards() && Guarded::is_spent(self.allowance_left()) {
            return None;
        }
        let running = self.state.uncompacted().iter().filter(|t| t.state == TrialState::Running);
        let pending: Vec<&[f64]> = running.map(|trial| trial.x.as_slice()).collect();
        let free = |repeatable: &&RepeatableSetting| !pending.contains(&repeatable.x.as_slice());
        let bound = self.plan.guards() && self.last_promise() == Promise::Measured;
        let kept = |repeatable: &&RepeatableSetting| {
            !bound || self.state.record.speaks_for(&repeatable.x, 0)
        };
        let far =
            |repeatable: &&RepeatableSetting| distance(&self.spec.params, &repeatable.x, &doubt.x);
        let nearer = |a: &&RepeatableSetting, b: &&RepeatableSetting| far(a).total_cmp(&far(b));
        let nearest = change_test.repeatables().filter(free).filter(kept).min_by(nearer)?;
        Some(nearest.params.clone())
    }
}

/// The squared distance of two settings; another choice of a category is as far as a whole range.
fn distance(space: &Space, x: &[f64], y: &[f64]) -> f64 {
    let coordinates = space.coordinates().iter().zip(x.iter().zip(y));
    coordinates
        .map(|(coordinate, (x, y))| match coordinate {
            Coordinate::Category(_) => f64::from(x != y),
            _ => (x - y).powi(2),
        })
        .sum()
}
