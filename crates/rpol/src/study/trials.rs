//! The trials of a study, of which the first may have been forgotten.

use super::trial::Trial;

/// Trials by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Trials {
    /// How many are gone: the number of the first that is kept.
    gone: u64,
    kept: Vec<Trial>,
}

impl Trials {
    /// How many there were, forgotten ones included: the next one's number.
    pub(super) fn count(&self) -> u64 {
        self.gone + self.kept.len() as u64
    }

    /// The number of the first that is kept.
    pub(super) fn first(&self) -> u64 {
        self.gone
    }

    pub(super) fn kept(&self) -> &[Trial] {
        &self.kept
    }

    /// Those that are kept from `number` on.
    pub(super) fn from(&self, number: u64) -> &[Trial] {
        let start = number.saturating_sub(self.gone) as usize;
        &self.kept[start.min(self.kept.len())..]
    }

    pub(super) fn get(&self, number: u64) -> Option<&Trial> {
        self.kept.get(usize::try_from(number.checked_sub(self.gone)?).ok()?)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Trial> {
        self.kept.get_mut(usize::try_from(number.checked_sub(self.gone)?).ok()?)
    }

    pub(super) fn push(&mut self, trial: Trial) {
        self.kept.push(trial);
    }

    /// Forgets all before `number`.
    pub(super) fn forget_before(&mut self, number: u64) {
        let count = number.saturating_sub(self.gone).min(self.kept.len() as u64);
        self.kept.drain(..count as usize);
        self.gone += count;
    }
}
