//! When a run ends.

use super::config::Config;
use crate::run::output::counts::has_ended;
use crate::run::output::stop_reason::StopReason;
use rpol::Study;
use rpol::study::{Account, WhenSpent};
use std::time::Instant;

/// What ends a run, as far as the study itself can tell; the number of trials is looked at where one is asked for.
pub(crate) fn reason(config: &Config, study: &Study, began: Instant) -> Option<StopReason> {
    let spent = study.ledger().into_iter().find(Account::is_spent);
    if let Some(account) = spent.filter(|_| config.run.when_spent != WhenSpent::Warn) {
        return Some(StopReason::Spent(account.constraint));
    }
    if config.run.time.is_some_and(|time| began.elapsed() >= time.duration()) {
        return Some(StopReason::Time);
    }
    let patience = config.run.patience?;
    let best = study.best_trial()?.number;
    let later = study.trials().iter().filter(|trial| trial.number > best && has_ended(trial));
    (later.count() as u64 >= patience).then_some(StopReason::Patience(patience))
}
