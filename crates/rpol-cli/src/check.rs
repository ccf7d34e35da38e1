//! `rpol check`: what a study's file says, and whether it can be run.

use crate::run::{Config, Overrides};
use anyhow::Result;
use rpol::study::WhenSpent;
use rpol::{Param, Params, Spec, Value};
use std::io::Write;
use std::path::PathBuf;

/// Say what a study's file means, and whether it can be run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol check study.toml")]
pub(crate) struct Args {
    /// The study's file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec = crate::common::study_file::read(&args.file, None)?;
    let mut lines = definition(&spec);
    lines.extend(match spec.run {
        Some(_) => running(&Config::read(&args.file, &Overrides::default())?),
        None => vec!["command    none: to ask and tell needs none, `rpol run` needs [run]".into()],
    });
    let mut out = anstream::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(())
}

fn definition(spec: &Spec) -> Vec<String> {
    let mut lines = vec![format!("study      {}", spec.name)];
    let params = spec.params.params().iter();
    lines.extend(params.map(|(name, param)| format!("parameter  {name}: {}", range(param))));
    let wish = spec.objective.direction();
    lines.push(format!("objective  {wish} {}", spec.objective.metric()));
    lines.extend(spec.constraints.iter().map(|constraint| match constraint.budget() {
        Some(budget) => format!("limit      {constraint}, with a budget of {budget}"),
        None => format!("limit      {constraint}"),
    }));
    lines.push(format!("algorithm  {}", algorithm(spec)));
    lines.push(format!("risk       {}", crate::common::risk::words(spec)));
    lines
}

fn running(config: &Config) -> Vec<String> {
    let (setting, params) = example(&config.spec);
    vec![
        format!("stops      {}", stops(config)),
        format!("command    {}    (for {setting})", config.typed(&params)),
    ]
}

fn range(param: &Param) -> String {
    let scale = |log: bool| if log { ", by ratios" } else { "" };
    match param {
        Param::Float { low, high, log } => format!("{low} to {high}{}", scale(*log)),
        Param::Int { low, high, log } => format!("{low} to {high}, whole{}", scale(*log)),
        Param::Categorical { choices } => {
            const SHOWN: usize = 8;
            let text = |choice: &Value| match choice {
                Value::Text(text) => crate::common::text::plain(text),
                other => other.to_string(),
            };
            let shown: Vec<String> = choices.iter().take(SHOWN).map(text).collect();
            let more = choices.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" or {more} more") } else { String::new() };
            shown.join(", ") + &more
        }
    }
}

fn algorithm(spec: &Spec) -> &str {
    let custom = spec.policy.is_some() || spec.strategy.is_some();
    let other = if custom { "as its policy and strategy say" } else { "the default" };
    spec.algorithm.as_deref().unwrap_or(other)
}

fn stops(config: &Config) -> String {
    let run = &config.run;
    let mut rules = vec![format!("after {} trials", config.rounds())];
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
fn example(spec: &Spec) -> (&'static str, Params) {
    match &spec.baseline {
        Some(baseline) => ("the baseline", baseline.params.clone()),
        None => {
            let space = &spec.params;
            ("the middle of the ranges", space.decode(&vec![0.5; space.dims()]))
        }
    }
}
