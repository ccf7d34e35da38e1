//! The settings played last, and what is believed of them.
//!
//! The last 64 points of every factor. Their joint posterior needs only the last corner of $L$
//! (`gp/joint.rs`), and a new value at one of them updates it at $O(64^2)$, whatever the size of
//! the surrogate.

use super::mind::Mind;
use super::model::{Models, Setting};
use super::thrift::is_repeatable;
use crate::gp::Joint;
use crate::policy::score::Estimate;

/// The settings at hand: they are the last points of every factor, so what is believed of all of them together takes no solve.
#[derive(Debug, Clone)]
pub(super) struct Hand {
    settings: Vec<Setting>,
    /// Of each output, at all of them.
    beliefs: Vec<Joint>,
}

impl Hand {
    pub(super) fn len(&self) -> usize {
        self.settings.len()
    }

    pub(super) fn x(&self, i: usize) -> &[f64] {
        &self.settings[i].1
    }

    /// The place of a setting, by its number among the distinct ones.
    pub(super) fn find(&self, point: u64) -> Option<usize> {
        self.settings.iter().position(|(other, _)| *other == point)
    }

    /// What is believed of each output at a setting, in its own unit.
    pub(super) fn at(&self, models: &Models, i: usize) -> Vec<Estimate> {
        let of = |(q, joint): (usize, &Joint)| {
            let scale = models.scale(q);
            let (mean, deviation) = (joint.mean(i), joint.deviation(i));
            Estimate { mean: scale.restore(mean), deviation: scale.spread * deviation }
        };
        self.beliefs.iter().enumerate().map(of).collect()
    }

    /// The same in the units of decisions.
    pub(super) fn standard(&self, models: &Models, i: usize) -> Vec<Estimate> {
        let own = self.at(models, i).into_iter().enumerate();
        own.map(|(q, at)| at.standard(models.unit(q))).collect()
    }

    /// Takes in a value of each output at a setting, with its noise, in standard units; the information gained of each.
    pub(super) fn observe<'a>(
        &'a mut self,
        i: usize,
        values: &'a [(f64, f64)],
    ) -> impl Iterator<Item = f64> + 'a {
        let outputs = self.beliefs.iter_mut().zip(values);
        outputs.map(move |(joint, (value, noise))| joint.observe(i, *value, *noise))
    }
}

impl Mind {
    /// What is at hand and can be played again; `None` while some values are on their way.
    pub(super) fn hand(&self) -> Option<Hand> {
        let (settings, beliefs) = self.models.at_hand(|x| is_repeatable(&self.spec.params, x))?;
        Some(Hand { settings, beliefs })
    }
}
