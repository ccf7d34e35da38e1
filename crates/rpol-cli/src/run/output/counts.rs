//! How many trials a study has.

use rpol::Study;
use rpol::study::{Trial, TrialState};

/// Trials that were asked for: history is none of the rounds, nor is a trial that was voided.
pub(crate) fn asked(study: &Study) -> u64 {
    let counts = |t: &&Trial| t.decision.is_some() && t.state != TrialState::Abandoned;
    study.trials().iter().filter(counts).count() as u64
}

/// Trials that were asked for and have ended.
pub(crate) fn ended(study: &Study) -> u64 {
    study.trials().iter().filter(|trial| has_ended(trial)).count() as u64
}

/// Whether a trial was asked for and has ended.
pub(crate) fn has_ended(trial: &Trial) -> bool {
    trial.decision.is_some() && matches!(trial.state, TrialState::Complete | TrialState::Fail)
}
