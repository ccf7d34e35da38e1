//! A system behind a pipe, for players of any language.

use anyhow::{Context, Result};
use rpol::Params;
use rpol_lab::live::{Outcome, System, Truth, Yardstick};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::io::{BufRead, Write};

/// What is served.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The system.
    #[arg(long)]
    system: String,
    /// Seed of the chance in its measurements.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Rounds of a run: what drifts changes in proportion.
    #[arg(long, default_value_t = 60)]
    horizon: usize,
}

/// What is asked for the truth.
#[derive(clap::Args)]
pub(super) struct Truly {
    /// The system.
    #[arg(long)]
    system: String,
    /// The phase; the last when left out.
    #[arg(long)]
    phase: Option<usize>,
}

#[derive(Deserialize)]
struct Line {
    params: Params,
}

/// The first line out describes the system; each line in is a trial, answered by its metrics or why it failed.
pub(super) fn run(args: &Args) -> Result<()> {
    let system = System::named(&args.system)?;
    say(&description(&system)?)?;
    let mut round = 0;
    each_line(|params| {
        round += 1;
        let phase = system.phase_at(round, args.horizon);
        Ok(match system.measure(&params, phase, args.seed, round as u64)? {
            Outcome::Measured(metrics) => {
                let excesses = system.excesses(&metrics);
                let over = excesses.iter().any(|g| *g > 0.0);
                json!({"metrics": named(&system, &metrics), "excesses": excesses, "over": over})
            }
            Outcome::Failed(reason) => json!({"failed": reason}),
        })
    })
}

/// Each line in is answered by true means.
pub(super) fn truly(args: &Truly) -> Result<()> {
    let system = System::named(&args.system)?;
    let phase = args.phase.unwrap_or(system.phases() - 1).min(system.phases() - 1);
    let from = system.truth(&system.baseline, phase).objective();
    let to = system.best[phase].objective;
    each_line(|params| {
        let truth: Truth = system.truth(&system.spec.params.canonical(&params)?, phase);
        let means = named(&system, &truth.means);
        let gain = (truth.objective() - from) / (to - from);
        let (over, failed, feasible) = (truth.over, truth.failed, truth.feasible);
        Ok(
            json!({"means": means, "over": over, "failed": failed, "feasible": feasible, "gain": gain}),
        )
    })
}

fn description(system: &System) -> Result<Value> {
    let limits: Vec<String> = system.limits().iter().map(ToString::to_string).collect();
    let objective = &system.spec.objective;
    // As text, since a tree would sort the parameters by name.
    let params = serde_json::to_string(&system.spec.params)?;
    let order: Vec<&String> = system.spec.params.params().keys().collect();
    Ok(json!({
        "name": system.name,
        "about": system.about,
        "objective": {"metric": objective.metric(), "direction": objective.direction().to_string()},
        "constraints": limits,
        "params": serde_json::from_str::<Value>(&params)?,
        "order": order,
        "baseline": system.baseline,
        "phases": system.phases(),
        "yardstick": Yardstick::of(system),
        "best": system.best.iter().map(|best| json!({"params": best.params, "objective": best.objective})).collect::<Vec<_>>(),
    }))
}

fn named(system: &System, values: &[f64]) -> Map<String, Value> {
    let names = system.spec.metrics().into_iter().map(String::from);
    names.zip(values.iter().map(|value| json!(value))).collect()
}

fn each_line(mut answer: impl FnMut(Params) -> Result<Value>) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let read: Line = serde_json::from_str(&line)
            .with_context(|| format!("{line}: give {{\"params\": {{...}}}}"))?;
        say(&answer(read.params)?)?;
    }
    Ok(())
}

/// A line, at once: somebody waits for it.
fn say(value: &Value) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}")?;
    Ok(out.flush()?)
}
