//! Budgets kept, and limits kept but for noise.

use crate::play::seeds;
use anyhow::{Context, Result};
use rpol_lab::live::{Keeping, Player, System, Yardstick, list, play, with_budgets};
use rpol_lab::pool::work_all;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Who plays what, under which budgets.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A name as in `rpol lab arena`: rpol@risk=0.
    #[arg(long, default_value = "rpol")]
    player: String,
    /// Names divided by commas, or tuned, reported, all.
    #[arg(long, default_value = "all")]
    systems: String,
    /// Seeds as `from..to`, or how many.
    #[arg(long, default_value = "0..10", value_parser = seeds)]
    seeds: Range<u64>,
    /// Rounds of a run.
    #[arg(long, default_value_t = 60)]
    horizon: usize,
    /// The budget of each limit, as a share of what random play breaks it by. None, unless given.
    #[arg(long)]
    budget: Option<f64>,
    /// How many runs at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A row for every run goes into this file.
    #[arg(long)]
    csv: Option<PathBuf>,
}

const HEADER: &str =
    "system,player,seed,over,truly_over,beyond_noise,failures,gain,budget,spent,dearest";

/// Prints a row for each system.
pub(super) fn run(args: &Args) -> Result<()> {
    let player: Player = args.player.parse()?;
    let seeds: Vec<u64> = args.seeds.clone().collect();
    let calm = AtomicBool::new(false);
    let mut lines = vec![HEADER.to_string()];
    let mut all = Vec::new();
    for system in list(&args.systems)? {
        let yardstick = Yardstick::of(&system);
        let one = |seed: &u64| held(args, &player, &system, &yardstick, *seed).map(Some);
        let runs = work_all(&seeds, args.jobs, &calm, |_| 1, one)?;
        let runs: Vec<Keeping> = runs.into_iter().flatten().collect();
        println!("{}", row(system.name, &runs));
        let name = player.name();
        let named = seeds.iter().zip(&runs);
        lines.extend(
            named.map(|(seed, k)| format!("{},\"{name}\",{seed},{}", system.name, cells(k))),
        );
        all.extend(runs);
    }
    println!("{}", row("over all", &all));
    if let Some(path) = &args.csv {
        let text = lines.join("\n") + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn held(
    args: &Args,
    player: &Player,
    system: &System,
    yardstick: &Yardstick,
    seed: u64,
) -> Result<Keeping> {
    let mut spec = player.spec(system, seed, args.horizon)?;
    if let Some(share) = args.budget {
        spec = with_budgets(spec, yardstick, share, args.horizon)?;
    }
    let run = play(system, spec.clone(), seed, args.horizon, |_| true)?;
    let run = run.context("nobody stops it")?;
    Ok(Keeping::of(system, yardstick, &spec, &run))
}

fn row(name: &str, runs: &[Keeping]) -> String {
    let count = runs.len();
    let mean = |of: &dyn Fn(&Keeping) -> usize| {
        runs.iter().map(of).sum::<usize>() as f64 / count.max(1) as f64
    };
    let none = |of: &dyn Fn(&Keeping) -> usize| runs.iter().filter(|run| of(run) == 0).count();
    let mut row = format!(
        "{name:<10} over {:.2}, truly {:.2}, beyond noise {:.2} a run; none truly {}, none beyond noise {} of {count}; failed {:.2}; gain {:.2}",
        mean(&|run| run.over),
        mean(&|run| run.truly_over),
        mean(&|run| run.beyond_noise),
        none(&|run| run.truly_over),
        none(&|run| run.beyond_noise),
        mean(&|run| run.failures),
        median(runs.iter().map(|run| run.gain).collect()),
    );
    let within: Vec<Vec<bool>> = runs.iter().map(Keeping::within).collect();
    let limits: usize = within.iter().map(Vec::len).sum();
    if limits > 0 {
        let kept = within.iter().flatten().filter(|kept| **kept).count();
        let whole = within.iter().filter(|run| run.iter().all(|kept| *kept)).count();
        row += &format!("; within budget {whole} of {count} runs, {kept} of {limits} limits");
    }
    row
}

/// NaN of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).zip(values.get(values.len().saturating_sub(1) / 2));
    middle.map_or(f64::NAN, |(a, b)| (a + b) / 2.0)
}

fn cells(k: &Keeping) -> String {
    let list = |numbers: &[f64]| -> String {
        numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
    };
    let budgets: Vec<String> =
        k.budgets.iter().map(|b| b.map_or("none".into(), |b| b.to_string())).collect();
    [
        k.over.to_string(),
        k.truly_over.to_string(),
        k.beyond_noise.to_string(),
        k.failures.to_string(),
        k.gain.to_string(),
        budgets.join(" "),
        list(&k.spent),
        list(&k.dearest),
    ]
    .join(",")
}
