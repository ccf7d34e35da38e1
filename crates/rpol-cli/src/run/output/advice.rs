//! What to do next, after a run whose account asks for it.

use super::findings::Findings;
use crate::common::text::plain;
use rpol::study::{Account, TrialState};
use rpol::{Param, Params, Study, Value};

/// Measured trials from which on a share says something.
const ENOUGH: u64 = 10;
/// A share of trials over a limit that calls for a word.
const MANY: f64 = 0.25;

/// Sentences, the most important one first; none where all went well.
pub(crate) fn advice(
    study: &Study,
    ledger: &[Account],
    recommended: Option<&Params>,
) -> Vec<String> {
    let mut advice = Vec::new();
    let measured = study.trials().iter().any(|trial| trial.state == TrialState::Complete);
    if measured && study.best_trial().is_none() {
        advice.push(nothing_feasible(study));
    }
    advice.extend(ledger.iter().filter(|account| often_over(account)).map(|account| {
        let Account { constraint, violations, observed, .. } = account;
        let remedy = "a lower `risk`, a baseline with more to spare, or narrower ranges around it";
        format!("{constraint} was broken in {violations} of {observed} trials: try {remedy}")
    }));
    advice.extend(ledger.iter().filter(|account| account.is_spent()).map(|account| {
        let constraint = &account.constraint;
        format!("the budget of {constraint} is spent: a lower `risk` spends less, and `when_spent` says what happens then")
    }));
    advice.extend(recommended.into_iter().flat_map(|params| at_an_end(study, params)));
    advice
}

fn often_over(account: &Account) -> bool {
    account.observed >= ENOUGH && account.rate() > MANY
}

fn nothing_feasible(study: &Study) -> String {
    let remedy = match study.spec().baseline {
        Some(_) => "check that the baseline keeps them, or loosen a limit",
        None => "give a [baseline] that keeps them, widen the ranges, or loosen a limit",
    };
    format!("no trial kept every limit: {remedy}")
}

/// Parameters that are recommended at an end of their range: beyond it may be better still.
fn at_an_end(study: &Study, params: &Params) -> Vec<String> {
    let space = study.spec().params.params();
    let side = |name: &String, value: &Value| {
        let value = value.as_f64()?;
        let (low, high) = match space.get(name)? {
            Param::Float { low, high, .. } => (*low, *high),
            Param::Int { low, high, .. } => (*low as f64, *high as f64),
            Param::Categorical { .. } => return None,
        };
        let side = if value == low { "low" } else { "high" };
        (low < high && (value == low || value == high)).then_some(side)
    };
    let word = |(name, value): (&String, &Value)| {
        let side = side(name, value)?;
        Some(format!(
            "{} = {value} is the {side} end of its range: widen it, if the system can do more",
            plain(name)
        ))
    };
    params.iter().filter_map(word).collect()
}

impl Findings {
    /// All that is to be said beside the result.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = String> {
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        warnings.chain(self.advice.iter().map(|advice| format!("advice: {advice}")))
    }
}
