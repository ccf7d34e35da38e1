//! `rpol check`: what a study's file says, and whether it can be run.

use crate::common::answer::Answer;
use crate::common::storage::{Storage, is_there, shown};
use crate::common::text::{labelled, params_in_full};
use crate::common::{risk, study_file, terminal};
use crate::run::{Config, Overrides};
use anyhow::Result;
use rpol::store::Shared;
use rpol::study::WhenSpent;
use rpol::{Param, Params, Spec, Value};
use serde_json::{Map, Value as Json};
use std::path::PathBuf;

/// Say what a study's file means, what will be risked, and whether it can be run.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rpol check study.toml")]
pub(crate) struct Args {
    /// The study's file
    file: PathBuf,
    #[command(flatten)]
    storage: Storage,
    #[command(flatten)]
    answer: Answer,
}

/// What a line is about, and what it says.
type Line = (&'static str, String);

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec = study_file::read(&args.file, None)?;
    let mut lines = definition(&spec);
    lines.extend(match spec.run {
        Some(_) => running(&Config::read(&args.file, &Overrides::default())?),
        None => {
            vec![("command", "none: to ask and tell needs none, `rpol run` needs [run]".into())]
        }
    });
    let url = study_file::storage(&args.file, &spec);
    lines.push(("store", stored(&args.storage, &url, &spec)));
    args.answer.give(&document(&lines), || page(&lines))
}

fn definition(spec: &Spec) -> Vec<Line> {
    let mut lines = vec![("study", spec.name.clone())];
    let params = spec.params.params().iter();
    lines.extend(params.map(|(name, param)| ("parameter", format!("{name}: {}", range(param)))));
    let wish = spec.objective.direction();
    lines.push(("objective", format!("{wish} {}", spec.objective.metric())));
    lines.extend(spec.constraints.iter().map(|constraint| match constraint.budget() {
        Some(budget) => ("limit", format!("{constraint}, with a budget of {budget}")),
        None => ("limit", constraint.to_string()),
    }));
    if let Some(baseline) = &spec.baseline {
        lines.push(("baseline", format!("{}, tried first", params_in_full(&baseline.params))));
    }
    lines.push(("algorithm", algorithm(spec).into()));
    lines.push(("risk", risk::words(spec)));
    lines
}

fn running(config: &Config) -> Vec<Line> {
    let (setting, params) = example(&config.spec);
    let (rounds, workers) = (config.rounds(), config.run.workers);
    vec![
        ("trials", format!("{rounds}, {workers} at a time")),
        ("stops", stops(config)),
        ("command", format!("{}    (for {setting})", config.typed(&params))),
    ]
}

/// Where the study is kept, and what is there of it.
fn stored(storage: &Storage, file: &str, spec: &Spec) -> String {
    let url = storage.url(Some(file));
    let loaded = || Shared::load(storage.existing(Some(file)).ok()?, &spec.name).ok();
    let there = match Some(url).filter(|url| is_there(url)).and_then(|_| loaded()) {
        None => "a new study".into(),
        Some(found) => format!("the study has {} trials there", found.study().trials().len()),
    };
    format!("{}, {there}", shown(url))
}

/// A column of words.
fn page(lines: &[Line]) -> String {
    let width = terminal::of_stdout().unwrap_or(usize::MAX);
    let line = |(about, text): &Line| labelled(&format!("{about:<11}"), text, width);
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The same for programs; what there may be several of is a list.
fn document(lines: &[Line]) -> Json {
    let mut document = Map::new();
    for (about, text) in lines {
        match *about {
            "parameter" | "limit" => {
                let list = document.entry(*about).or_insert_with(|| Json::Array(Vec::new()));
                list.as_array_mut().into_iter().for_each(|list| list.push(text.as_str().into()));
            }
            _ => drop(document.insert((*about).into(), text.as_str().into())),
        }
    }
    Json::Object(document)
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
