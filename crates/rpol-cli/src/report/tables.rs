//! The words and tables of a report.

use rpol::Study;
use rpol::study::{Account, By, Event, Recommendation, Reported, Trial, TrialState};
use rpol_plot::page::{escaped, table};
use rpol_plot::picture::{shown, value};

/// Rows of the table of trials: the last ones.
const MOST: usize = 200;

/// What to run now, and why.
pub(super) fn recommendation(study: &Study, recommended: Option<&Recommendation>) -> String {
    let objective = &study.spec().objective;
    let verb = objective.direction();
    let limits = study
        .spec()
        .constraints
        .iter()
        .map(|c| format!("<code>{}</code>", escaped(&c.to_string())));
    let limits: Vec<String> = limits.collect();
    let under =
        if limits.is_empty() { String::new() } else { format!(" under {}", limits.join(" and ")) };
    let mut out = format!(
        "<p>The aim: {verb} <code>{}</code>{under}.</p>\n<h2>What to run now</h2>\n",
        escaped(objective.metric())
    );
    let Some(recommended) = recommended else {
        let why = study.unmeasured_in_words().unwrap_or_else(|| "nothing was measured".into());
        return out + &format!("<p>Nothing can be recommended yet: {}.</p>\n", escaped(&why));
    };
    let row = |(name, own): (&String, &rpol::Value)| vec![escaped(name), escaped(&value(own))];
    out += &table(&["parameter", "value"], recommended.outlook.params.iter().map(row));
    // The first line of the words is the setting, which is in the table.
    for line in recommended.to_string().lines().skip(1) {
        out += &format!("<p>{}</p>\n", escaped(line));
    }
    out + &observed(study)
}

fn observed(study: &Study) -> String {
    match study.best_trial() {
        None => "<p>No trial has kept every limit as observed.</p>\n".into(),
        Some(trial) => {
            let value = trial.metrics.get(study.spec().objective.metric());
            format!(
                "<p>Best feasible trial as observed: number {}, {}.</p>\n",
                trial.number,
                value.map_or("no value".into(), |value| shown(value.value.get()))
            )
        }
    }
}

/// Every violation on the books.
pub(super) fn ledger(accounts: &[Account]) -> String {
    if accounts.is_empty() {
        return "<p>The study has no constraints.</p>\n".into();
    }
    let row = |account: &Account| {
        let or_none = |value: Option<f64>| value.map_or("–".into(), shown);
        let share = 100.0 * account.rate();
        vec![
            escaped(&account.constraint),
            shown(account.total),
            or_none(account.budget),
            or_none(account.left),
            or_none(account.burn_rate),
            format!("{} of {} ({share:.0} %)", account.violations, account.observed),
            format!("{} of {}", account.recent.violations, account.recent.observed),
            shown(account.worst),
            failures(account),
            or_none(account.model.map(|model| model.total)),
        ]
    };
    table(&LEDGER, accounts.iter().map(row))
        + "<p>Spent is what was measured, noise included, and what failed trials count for: as the study states, else as \
           the worst excess measured. By the model is the sum without noise and failures. A burn rate above 1 means that \
           the budget will not last.</p>\n"
}

/// How many trials failed before they measured the limit, and what they count for.
fn failures(account: &Account) -> String {
    match account.failed {
        0 => "–".into(),
        failed => format!("{failed}, for {}", shown(account.by_failures)),
    }
}

const LEDGER: [&str; 10] = [
    "constraint",
    "spent",
    "budget",
    "left",
    "burn rate",
    "violations",
    "recent",
    "worst",
    "failed",
    "by the model",
];

/// The last trials.
pub(super) fn trials(study: &Study) -> String {
    let all = study.trials();
    if all.is_empty() {
        return "<p>There is no trial yet.</p>\n".into();
    }
    let names: Vec<&String> = study.spec().params.params().keys().collect();
    let metrics = study.spec().metrics();
    let named = names.iter().map(|name| escaped(name));
    let headings: Vec<String> = named.chain(metrics.iter().map(|name| escaped(name))).collect();
    let headings = ["trial", "state"].into_iter().chain(headings.iter().map(String::as_str));
    let row = |trial: &Trial| {
        let params = names.iter().map(|name| trial.params.get(*name).map(value));
        let values = metrics.iter().map(|metric| trial.metrics.get(*metric).map(measured));
        let cells = params.chain(values).map(|cell| escaped(&cell.unwrap_or_default()));
        [trial.number.to_string(), standing(trial)].into_iter().chain(cells).collect()
    };
    let rows = table(&headings.collect::<Vec<_>>(), all.iter().rev().take(MOST).map(row));
    let failed = all.iter().filter(|trial| trial.state == TrialState::Fail).count();
    let failed = match failed {
        0 => String::new(),
        1 => "<p>One trial failed.</p>\n".into(),
        n => format!("<p>{n} trials failed.</p>\n"),
    };
    let rest = match all.len().saturating_sub(MOST) {
        0 => String::new(),
        rest => format!("<p>{rest} earlier trials are not shown.</p>\n"),
    };
    failed + &rows + &rest
}

fn measured(reported: &Reported) -> String {
    let value = shown(reported.value.get());
    reported.sem.map_or(value.clone(), |sem| format!("{value} ± {}", shown(sem.get())))
}

fn standing(trial: &Trial) -> String {
    let state = match trial.state {
        TrialState::Running | TrialState::Stale => "running",
        TrialState::Fail => "failed",
        TrialState::Abandoned => "voided",
        TrialState::Complete if trial.is_feasible() == Some(true) => "feasible",
        TrialState::Complete => "infeasible",
    };
    let by = trial.decision.as_ref().map(|decision| decision.by);
    let state = if by == Some(By::Baseline) { format!("{state}, baseline") } else { state.into() };
    match &trial.reason {
        Some(reason) => format!("{state}: {}", escaped(reason)),
        None => state,
    }
}

/// How many events of each sort the log has.
pub(super) fn log(study: &Study) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for event in study.log() {
        let name = sort(event);
        match counts.iter_mut().find(|(own, _)| *own == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    format!("<p>The log has {} events: {}.</p>\n", study.log().len(), counts.join(", "))
}

fn sort(event: &Event) -> &'static str {
    match event {
        Event::Created { .. } => "created",
        Event::Asked { .. } => "asked",
        Event::Claimed { .. } => "claimed",
        Event::Told { .. } => "told",
        Event::Added { .. } => "added",
        Event::Corrected { .. } => "corrected",
        Event::Failed { .. } => "failed",
        Event::Voided { .. } => "voided",
        Event::Changed { .. } => "changed",
        Event::Revised(_) => "revised",
        Event::Fitted { .. } => "fitted",
        _ => "of another kind",
    }
}
