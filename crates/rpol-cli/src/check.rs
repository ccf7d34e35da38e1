//! `rpol check`: what a study's file says, and whether it can be run.

use crate::run::{Overrides, Plan};
use anyhow::Result;
use rpol::study::{Direction, WhenSpent};
use rpol::{Param, Params, Value};
use std::io::Write;
use std::path::PathBuf;

/// Say what a study's file means, and whether it can be run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The study's file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let plan = Plan::read(&args.file, &Overrides::default())?;
    let mut out = anstream::stdout().lock();
    for line in lines(&plan) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn lines(plan: &Plan) -> Vec<String> {
    let spec = &plan.spec;
    let mut lines = vec![format!("study      {}", spec.name)];
    let params = spec.params.params().iter();
    lines.extend(params.map(|(name, param)| format!("parameter  {name}: {}", range(param))));
    let wish = match spec.objective.direction() {
        Direction::Maximize => "maximize",
        Direction::Minimize => "minimize",
    };
    lines.push(format!("objective  {wish} {}", spec.objective.metric()));
    lines.extend(spec.constraints.iter().map(|constraint| match constraint.budget() {
        Some(budget) => format!("limit      {constraint}, with a budget of {budget}"),
        None => format!("limit      {constraint}"),
    }));
    lines.push(format!("algorithm  {}", algorithm(plan)));
    lines.push(format!("stops      {}", stops(plan)));
    let (setting, params) = example(plan);
    lines.push(format!("command    {}    (for {setting})", plan.typed(&params)));
    lines
}

fn range(param: &Param) -> String {
    let scale = |log: bool| if log { ", by ratios" } else { "" };
    match param {
        Param::Float { low, high, log } => format!("{low} to {high}{}", scale(*log)),
        Param::Int { low, high, log } => format!("{low} to {high}, whole{}", scale(*log)),
        Param::Categorical { choices } => {
            const SHOWN: usize = 8;
            let text = |choice: &Value| match choice {
                Value::Text(text) => crate::run::plain(text),
                other => other.to_string(),
            };
            let shown: Vec<String> = choices.iter().take(SHOWN).map(text).collect();
            let more = choices.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" or {more} more") } else { String::new() };
            shown.join(", ") + &more
        }
    }
}

fn algorithm(plan: &Plan) -> &str {
    let custom = plan.spec.policy.is_some() || plan.spec.strategy.is_some();
    let other = if custom { "as its policy and strategy say" } else { "the default" };
    plan.spec.algorithm.as_deref().unwrap_or(other)
}

fn stops(plan: &Plan) -> String {
    let run = &plan.run;
    let mut rules = vec![format!("after {} trials", plan.rounds())];
    rules.extend(run.time.map(|time| format!("after {:?}", time.duration())));
    rules.extend(run.patience.map(|count| format!("after {count} trials without a better one")));
    rules.push(format!("after {} failures in a row", run.max_failures));
    match run.when_spent {
        WhenSpent::Warn => {}
        WhenSpent::Baseline => rules.push("at the baseline once a budget is spent".into()),
        WhenSpent::Stop => rules.push("once a budget is spent".into()),
    }
    rules.join(", ")
}

/// The baseline, or the middle of every range.
fn example(plan: &Plan) -> (&'static str, Params) {
    match &plan.spec.baseline {
        Some(baseline) => ("the baseline", baseline.params.clone()),
        None => {
            let space = &plan.spec.params;
            ("the middle of the ranges", space.decode(&vec![0.5; space.dims()]))
        }
    }
}
