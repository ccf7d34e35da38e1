//! A trial and the account of a constraint, each in one line.

use crate::common::text::{line, metrics, number, params};
use rpol::study::{Account, Trial, TrialState};
use rpol::{Constraint, Study};

/// How much of a reason is shown.
const REASON: usize = 300;

/// A trial that has ended: `trial 12  workers=4 cache=128  cost=3.41 p99_ms=243 ok`.
pub(crate) fn trial(study: &Study, trial: &Trial) -> String {
    let (number, setting) = (trial.number, params(&trial.params));
    let measured = metrics(&trial.metrics);
    let space = if measured.is_empty() { "" } else { " " };
    format!("trial {number}  {setting}  {measured}{space}{}", verdict(study, trial))
}

/// How it went, in a word: where a line is cut off, its end is not seen.
pub(crate) fn mark(trial: &Trial) -> &'static str {
    match (trial.state, trial.is_feasible()) {
        (TrialState::Fail | TrialState::Abandoned, _) => "fail",
        (_, Some(false)) => "over",
        (TrialState::Complete, _) => "ok",
        (TrialState::Running | TrialState::Stale, _) => "open",
    }
}

fn verdict(study: &Study, trial: &Trial) -> String {
    let mut words = excesses(study, trial);
    match trial.state {
        TrialState::Fail => {
            let reason = trial.reason.as_deref().unwrap_or("no reason given");
            words.push(format!("failed: {}", line(reason, REASON)));
        }
        TrialState::Abandoned => words.push("voided".into()),
        TrialState::Running | TrialState::Stale => words.push("not all known".into()),
        TrialState::Complete if words.is_empty() => words.push("ok".into()),
        TrialState::Complete => {}
    }
    words.join("; ")
}

fn excesses(study: &Study, trial: &Trial) -> Vec<String> {
    let over = |constraint: &Constraint| {
        let metric = constraint.metric();
        let value = trial.metrics.get(metric)?.value.get();
        let g = constraint.g(value, study.baseline_metrics().get(metric).copied())?;
        (g > 0.0).then(|| format!("over {constraint} by {}", number(g)))
    };
    study.spec().constraints.iter().filter_map(over).collect()
}

/// What a constraint has cost: `p99_ms <= 250  [###-------] 31.5 of 100 spent, over in 4 of 20 trials, worst 12.1`.
pub(crate) fn account(account: &Account) -> String {
    let Account { constraint, total, violations, observed, worst, budget, .. } = account;
    let spent = match budget {
        Some(budget) => {
            format!("[{}] {} of {} spent", bar(*total, *budget), number(*total), number(*budget))
        }
        None => format!("{} beyond it in all", number(*total)),
    };
    let worst = if *worst > 0.0 { format!(", worst {}", number(*worst)) } else { String::new() };
    format!("{constraint}  {spent}, over in {violations} of {observed} trials{worst}")
}

fn bar(total: f64, budget: f64) -> String {
    const WIDTH: usize = 10;
    let share = if total == 0.0 { 0.0 } else { (total / budget).min(1.0) };
    let full = (share * WIDTH as f64).ceil() as usize;
    "#".repeat(full) + &"-".repeat(WIDTH - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_empty_only_for_nothing_and_full_only_for_all() {
        for (total, budget, expected) in [
            (0.0, 0.0, "----------"),
            (0.0, 5.0, "----------"),
            (0.01, 5.0, "#---------"),
            (2.5, 5.0, "#####-----"),
            (4.4, 5.0, "#########-"),
            (7.0, 5.0, "##########"),
            (1.0, 0.0, "##########"),
        ] {
            assert_eq!(bar(total, budget), expected, "{total} of {budget}");
        }
    }
}
