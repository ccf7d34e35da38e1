//! `rpol ask`: what to try next.

use super::{Target, given};
use crate::common::answer::Answer;
use crate::common::text;
use anyhow::Result;
use rpol::store::{Issued, Shared};
use rpol::study::{Span, Suggestion};

/// Most trials one call may ask for.
const MOST: i64 = 1000;

/// Ask for a setting to try
///
/// As JSON it is {"number": 3, "params": {"x": 0.5}}; with --count a list of them. A trial whose
/// lease is over without a word is given out again before a new one is made.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  rpol ask cache
  rpol ask cache --count 4 --lease 15m --worker host-7
  rpol ask cache --param ttl_s=60 --param mode=lru    a setting of your own"
)]
pub(crate) struct Args {
    #[command(flatten)]
    target: Target,
    /// How many; each accounts for those before it [default: 1, and no list]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST as u64), allow_negative_numbers = true)]
    count: Option<u64>,
    /// Try this setting: once for every parameter
    #[arg(
        long = "param",
        value_name = "NAME=VALUE",
        conflicts_with = "count",
        allow_hyphen_values = true
    )]
    params: Vec<String>,
    /// How long the trial is yours: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "1h", allow_hyphen_values = true)]
    lease: Span,
    /// Who takes the trial, for the record
    #[arg(long, value_name = "NAME", default_value = "ask", allow_hyphen_values = true)]
    worker: String,
    #[command(flatten)]
    answer: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut shared = args.target.resume()?;
    if !args.params.is_empty() {
        let own = own(&mut shared, args)?;
        return args.answer.give(&own, || words(&shared, std::slice::from_ref(&own)));
    }
    let mut asked: Vec<Suggestion> = Vec::new();
    for _ in 0..args.count.unwrap_or(1) {
        match issue(&mut shared, args) {
            Ok(suggestion) => asked.push(suggestion),
            // What was given out already is the caller's to run.
            Err(error) if asked.is_empty() => return Err(error),
            Err(error) => {
                args.answer.give(&asked, || words(&shared, &asked))?;
                return Err(error);
            }
        }
    }
    match (args.count, &asked[..]) {
        (None, [one]) => args.answer.give(one, || words(&shared, &asked)),
        _ => args.answer.give(&asked, || words(&shared, &asked)),
    }
}

/// What to try, every value in full, and how to go on.
fn words(shared: &Shared, asked: &[Suggestion]) -> String {
    let spec = shared.study().spec();
    let line = |trial: &Suggestion| {
        format!("trial {}  {}", trial.number, text::params_in_full(&trial.params))
    };
    let mut lines: Vec<String> = asked.iter().map(line).collect();
    if let Some(first) = asked.first() {
        let metrics =
            spec.outputs().into_iter().map(|metric| format!("{}=...", text::plain(metric)));
        let metrics = metrics.collect::<Vec<_>>().join(" ");
        let name = text::shell(&spec.name);
        lines.push(format!("measure it, then: rpol tell {name} {} {metrics}", first.number));
    }
    lines.join("\n")
}

fn issue(shared: &mut Shared, args: &Args) -> Result<Suggestion> {
    let Issued { suggestion, again } = shared.issue(&args.worker, args.lease.duration())?;
    if again {
        let number = suggestion.number;
        args.answer.note(&format!("trial {number} is given out again, as its worker has left it"));
    }
    Ok(suggestion)
}

/// A setting of the user's own.
fn own(shared: &mut Shared, args: &Args) -> Result<Suggestion> {
    let params = given::params(&args.params, &shared.study().spec().params)?;
    Ok(shared.issue_for(&params, &args.worker, args.lease.duration())?)
}
