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

/// The same for a line that may be cut off at its end: what matters comes first.
pub(crate) fn brief(study: &Study, trial: &Trial) -> String {
    let (number, setting) = (trial.number, params(&trial.params));
    let (mark, measured) = (mark(trial), metrics(&trial.metrics));
    let verdict = verdict(study, trial);
    let verdict = if mark == verdict { String::new() } else { format!("; {verdict}") };
    format!("{mark:<5} trial {number}  {measured}  {setting}{verdict}")
}

/// How it went, in a word.
fn mark(trial: &Trial) -> &'static str {
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

/// What a constraint has cost: `p99_ms <= 250: [###-------] 31.5 of 100 spent, over in 4 of 20 trials, worst 12.1`.
pub(crate) fn account(account: &Account) -> String {
    let Account { constraint, total, violations, observed, worst, budget, .. } = account;
    let spent = match budget {
        Some(budget) => {
            format!("[{}] {} of {} spent", bar(*total, *budget), number(*total), number(*budget))
        }
        None => format!("{} beyond it in all", number(*total)),
    };
    let worst = if *worst > 0.0 { format!(", worst {}", number(*worst)) } else { String::new() };
    let failed = match account.failed {
        0 => String::new(),
        failed => format!("; {failed} failed, counted as {}", number(account.by_failures)),
    };
    format!("{constraint}: {spent}, over in {violations} of {observed} trials{worst}{failed}")
}

/// The same within so many columns: the bar goes first, then what is said beside the counts, then letters of the name;
/// never a number that counts.
pub(crate) fn account_within(account: &Account, width: usize) -> String {
    let Account { constraint, total, violations, observed, budget, .. } = account;
    let spent = match budget {
        Some(budget) => format!("{} of {} spent", number(*total), number(*budget)),
        None => format!("{} beyond it", number(*total)),
    };
    let brief = format!("over in {violations} of {observed}, {spent}");
    let forms = [self::account(account), format!("{constraint}: {brief}")];
    let fits = |text: &String| text.chars().count() <= width;
    forms.into_iter().find(fits).unwrap_or_else(|| {
        let room = width.saturating_sub(brief.chars().count() + 3).max(1);
        let name: String = constraint.chars().take(room).collect();
        format!("{name}…: {brief}")
    })
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
    fn however_narrow_the_counts_are_shown() {
        let mut account = Account::default();
        account.constraint = "p99_ms_of_all_requests <= 250".into();
        (account.total, account.budget, account.violations, account.observed) =
            (31.5, Some(100.0), 4, 20);
        let brief = "over in 4 of 20, 31.5 of 100 spent";
        for width in [52, 60, 72, 80, 120] {
            let line = account_within(&account, width);
            assert!(line.chars().count() <= width, "{width}: {line}");
            assert!(
                line.contains("4 of 20") && line.contains("31.5 of 100 spent"),
                "{width}: {line}"
            );
            assert_eq!(line.ends_with(brief), width < 96, "{width}: {line}");
        }
        assert_eq!(account_within(&account, 45), format!("p99_ms_o…: {brief}"));
    }

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
