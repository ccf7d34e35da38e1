//! How late results came.

use rpol::Study;
use rpol::study::{Trial, TrialState};

/// How late results came, in rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delays {
    /// How many trials had each delay, from 0 rounds on.
    pub counts: Vec<u64>,
    /// Trials still waited for.
    pub pending: u64,
}

/// Delays of the trials that were asked for.
#[must_use]
pub fn delays(study: &Study) -> Delays {
    let asked: Vec<&Trial> =
        study.trials().iter().filter(|trial| trial.decision.is_some()).collect();
    let mut counts: Vec<u64> = Vec::new();
    let counted = asked.iter().filter(|trial| trial.state == TrialState::Complete);
    for delay in counted.filter_map(|trial| trial.delay()) {
        counts.resize(counts.len().max(delay as usize + 1), 0);
        counts[delay as usize] += 1;
    }
    let waits = |trial: &&&Trial| trial.state == TrialState::Running;
    Delays { counts, pending: asked.iter().filter(waits).count() as u64 }
}
