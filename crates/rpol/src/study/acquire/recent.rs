//! The settings played last, and what is believed of them.
//!
//! The last 64 points of every factor. Their joint posterior needs only the last corner of $L$
//! (`gp/joint.rs`), and a new value at one of them updates it at $O(64^2)$, whatever the size of
//! the surrogate.

use super::reuse::is_repeatable;
use crate::gp::Joint;
use crate::policy::score::{Estimate, Score};
use crate::study::log::event::Promise;
use crate::study::surrogate::context::Context;
use crate::study::surrogate::models::{Models, Setting};

/// The settings played last: they are the last points of every factor, so what is believed of all of them together takes no solve.
#[derive(Debug, Clone)]
pub(in crate::study) struct RecentSettings {
    settings: Vec<Setting>,
    /// Of each output, at all of them.
    beliefs: Vec<Joint>,
}

impl RecentSettings {
    pub(in crate::study) fn len(&self) -> usize {
        self.settings.len()
    }

    pub(in crate::study) fn x(&self, i: usize) -> &[f64] {
        &self.settings[i].1
    }

    /// The place of a setting, by its number among the distinct ones.
    pub(in crate::study) fn find(&self, point: u64) -> Option<usize> {
        self.settings.iter().position(|(other, _)| *other == point)
    }

    /// What is believed of each output at a setting, in its own unit.
    pub(in crate::study) fn at(&self, models: &Models, i: usize) -> Vec<Estimate> {
        let of = |(q, joint): (usize, &Joint)| {
            let scale = models.scale(q);
            let (mean, deviation) = (joint.mean(i), joint.deviation(i));
            Estimate { mean: scale.restore(mean), deviation: scale.spread * deviation }
        };
        self.beliefs.iter().enumerate().map(of).collect()
    }

    /// The same in the units of decisions.
    pub(in crate::study) fn standard(&self, models: &Models, i: usize) -> Vec<Estimate> {
        let own = self.at(models, i).into_iter().enumerate();
        own.map(|(q, at)| at.standard(models.unit(q))).collect()
    }

    /// Takes in a value of each output at a setting, with its noise, in standard units; the information gained of each.
    pub(in crate::study) fn observe<'a>(
        &'a mut self,
        i: usize,
        values: &'a [(f64, f64)],
    ) -> impl Iterator<Item = f64> + 'a {
        let outputs = self.beliefs.iter_mut().zip(values);
        outputs.map(move |(joint, (value, noise))| joint.observe(i, *value, *noise))
    }
}

impl Context<'_> {
    /// The recent settings that can be played again; `None` while some values are on their way.
    pub(in crate::study) fn recent_settings(&self) -> Option<RecentSettings> {
        let (settings, beliefs) = self.models.recent(|x| is_repeatable(&self.spec.params, x))?;
        Some(RecentSettings { settings, beliefs })
    }

    /// The place of the best of these, what is promised of it, and how probable it is that it goes over.
    pub(in crate::study) fn best_recent(
        &self,
        score: &Score,
        at: &[Vec<Estimate>],
    ) -> Option<(usize, Promise, Option<f64>)> {
        if self.plan.guards() && !self.spec.constraints.is_empty() {
            return self.known_recent(at).map(|(i, promise, over)| (i, promise, Some(over)));
        }
        let ranks: Vec<_> = at.iter().map(|at| score.rank(at)).collect();
        let better = |a: usize, b: usize| if ranks[b].beats(ranks[a]) { b } else { a };
        let best = (0..ranks.len()).reduce(better).filter(|best| ranks[*best].violation == 0.0);
        best.map(|best| (best, Promise::default(), None))
    }
}
