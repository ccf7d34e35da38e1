//! Why a run ends.

use super::plan::Plan;
use super::show::line;
use rpol::Study;
use rpol::study::{Account, Trial, TrialState, WhenSpent};
use std::time::Instant;

/// Why a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stopped {
    /// The study has all its trials.
    Rounds(u64),
    /// The time is over.
    Time,
    /// The best feasible trial has stood for so many.
    Patience(u64),
    /// Too many trials failed in a row; the last for this reason.
    Failures(u32, String),
    /// The budget of this constraint is spent.
    Spent(String),
    /// The model believes that no setting is feasible, and the study says to stop then.
    Infeasible(String),
    /// The user wanted to.
    Interrupted,
}

impl Stopped {
    /// One word, for programs.
    pub(super) fn key(&self) -> &'static str {
        match self {
            Self::Rounds(_) => "rounds",
            Self::Time => "time",
            Self::Patience(_) => "patience",
            Self::Failures(..) => "failures",
            Self::Spent(_) => "budget",
            Self::Infeasible(_) => "infeasible",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the run has failed.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self, Self::Failures(..) | Self::Infeasible(_))
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rounds(count) => write!(f, "all {count} trials are done"),
            Self::Time => f.write_str("the time is over"),
            Self::Patience(count) => write!(f, "{count} trials brought nothing better"),
            Self::Failures(count, reason) => {
                write!(f, "{count} trials failed in a row, the last one as {}", line(reason, 400))
            }
            Self::Spent(constraint) => write!(f, "the budget of `{constraint}` is spent"),
            Self::Infeasible(problem) => f.write_str(problem),
            Self::Interrupted => f.write_str("interrupted; the same command again continues"),
        }
    }
}

/// What ends a run, as far as the study itself can tell; the number of trials is looked at where one is asked for.
pub(super) fn reason(plan: &Plan, study: &Study, began: Instant) -> Option<Stopped> {
    let spent = study.observed_ledger().into_iter().find(Account::is_spent);
    if let Some(account) = spent.filter(|_| plan.run.when_spent != WhenSpent::Warn) {
        return Some(Stopped::Spent(account.constraint));
    }
    if plan.run.time.is_some_and(|time| began.elapsed() >= time.duration()) {
        return Some(Stopped::Time);
    }
    let patience = plan.run.patience?;
    let best = study.best_trial()?.number;
    let later = study.trials().iter().filter(|trial| trial.number > best && has_ended(trial));
    (later.count() as u64 >= patience).then_some(Stopped::Patience(patience))
}

/// Trials that were asked for: history is none of the rounds.
pub(super) fn asked(study: &Study) -> u64 {
    study.trials().iter().filter(|trial| trial.decision.is_some()).count() as u64
}

/// Trials that were asked for and have ended.
pub(super) fn ended(study: &Study) -> u64 {
    study.trials().iter().filter(|trial| has_ended(trial)).count() as u64
}

fn has_ended(trial: &Trial) -> bool {
    trial.decision.is_some() && matches!(trial.state, TrialState::Complete | TrialState::Fail)
}
