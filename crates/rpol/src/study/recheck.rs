//! Settings that are measured again because the system may have changed.

use super::event::Promise;
use super::foothold::Foothold;
use super::mind::Mind;
use super::trial::TrialState;
use crate::policy::Guarded;
use crate::space::{Coordinate, Params, Space};

impl Mind {
    /// The baseline, where it was not measured since the last change was noticed: whoever promises a risk stands on it.
    pub(super) fn baseline_again(&self) -> Option<Params> {
        let baseline = self.spec.baseline.as_ref().filter(|_| self.state.unmeasured)?;
        self.plan.guards().then(|| baseline.params.clone())
    }

    /// While there is a doubt: of the settings measured before, the one nearest to where it arose. Under a promise none that
    /// went over a limit: that costs a trial, and of a limit that was broken before it tells little. A repeat is charged like
    /// any trial of a known setting, and there is none where only the baseline may be played.
    pub(super) fn recheck(&self) -> Option<Params> {
        let vigil = self.state.vigil(&self.plan);
        let doubt = vigil.doubt().filter(|_| vigil.change().is_none())?;
        if self.plan.guards() && Guarded::is_spent(self.allowance_left()) {
            return None;
        }
        let running = self.state.unsettled().iter().filter(|t| t.state == TrialState::Running);
        let pending: Vec<&[f64]> = running.map(|trial| trial.x.as_slice()).collect();
        let free = |foothold: &&Foothold| !pending.contains(&foothold.x.as_slice());
        let bound = self.plan.guards() && self.last_promise() == Promise::Measured;
        let kept = |foothold: &&Foothold| !bound || self.state.record.speaks_for(&foothold.x, 0);
        let far = |foothold: &&Foothold| distance(&self.spec.params, &foothold.x, &doubt.x);
        let nearer = |a: &&Foothold, b: &&Foothold| far(a).total_cmp(&far(b));
        let nearest = vigil.footholds().filter(free).filter(kept).min_by(nearer)?;
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
