//! The trials of a study, of which the first may have been forgotten.

use crate::study::log::trial::Trial;

/// Trials by number.
#[derive(Debug, Clone, Default)]
pub(in crate::study) struct Trials {
    /// How many are gone: the number of the first that is kept.
    gone: u64,
    kept: Vec<Trial>,
}

impl Trials {
    /// Those from a number on.
    pub(in crate::study) fn after(gone: u64, kept: Vec<Trial>) -> Self {
        Self { gone, kept }
    }

    /// How many there were, forgotten ones included: the next one's number.
    pub(in crate::study) fn count(&self) -> u64 {
        self.gone + self.kept.len() as u64
    }

    /// The number of the first that is kept.
    pub(in crate::study) fn first(&self) -> u64 {
        self.gone
    }

    pub(in crate::study) fn kept(&self) -> &[Trial] {
        &self.kept
    }

    /// Those that are kept from `number` on.
    pub(in crate::study) fn from(&self, number: u64) -> &[Trial] {
        let start = number.saturating_sub(self.gone) as usize;
        &self.kept[start.min(self.kept.len())..]
    }

    pub(in crate::study) fn get(&self, number: u64) -> Option<&Trial> {
        self.kept.get(usize::try_from(number.checked_sub(self.gone)?).ok()?)
    }

    pub(in crate::study) fn get_mut(&mut self, number: u64) -> Option<&mut Trial> {
        self.kept.get_mut(usize::try_from(number.checked_sub(self.gone)?).ok()?)
    }

    pub(in crate::study) fn push(&mut self, trial: Trial) {
        self.kept.push(trial);
    }

    /// Forgets all before `number`.
    pub(in crate::study) fn forget_before(&mut self, number: u64) {
        let count = number.saturating_sub(self.gone).min(self.kept.len() as u64);
        self.kept.drain(..count as usize);
        self.gone += count;
    }
}
