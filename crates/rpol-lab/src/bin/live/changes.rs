//! Alarms for nothing, and how soon a change is noticed.

use crate::play::seeds;
use anyhow::{Context, Result};
use rpol::study::Study;
use rpol_lab::live::{Alarms, Player, Tail, Vigil, list};
use rpol_lab::pool::work_all;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// What is watched.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A name as in `rpol lab arena`: rpol@drift="on".
    #[arg(long, default_value = "rpol")]
    player: String,
    /// Names divided by commas; those of two phases change half way.
    #[arg(long, default_value = "search")]
    systems: String,
    /// What is done to every metric: own (nothing), student or outliers.
    #[arg(long, default_value = "own")]
    tail: Tail,
    /// Seeds as `from..to`, or how many.
    #[arg(long, default_value = "0..50", value_parser = seeds)]
    seeds: Range<u64>,
    /// Rounds of a run.
    #[arg(long, default_value_t = 500)]
    horizon: usize,
    /// How many runs at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Logs go into this file, one a line.
    #[arg(long)]
    logs: Option<PathBuf>,
}

/// A change is noticed in time within so many rounds.
const IN_TIME: usize = 15;

/// Prints a row for each system.
pub(super) fn run(args: &Args) -> Result<()> {
    let player: Player = args.player.parse()?;
    let file = args.logs.as_ref().map(std::fs::File::create).transpose()?;
    let file = file.map(Mutex::new);
    let seeds: Vec<u64> = args.seeds.clone().collect();
    let calm = AtomicBool::new(false);
    for system in list(&args.systems)? {
        let vigil = Vigil { system, tail: args.tail, rounds: args.horizon };
        let one = |seed: &u64| -> Result<Option<Alarms>> {
            let study = vigil.play(&player, *seed)?;
            if let Some(file) = &file {
                write(file, &vigil, *seed, &study)?;
            }
            Ok(Some(vigil.alarms(study.log())))
        };
        let alarms = work_all(&seeds, args.jobs, &calm, |_| 1, one)?;
        let alarms: Vec<Alarms> = alarms.into_iter().flatten().collect();
        println!("{}", row(&vigil, &alarms));
    }
    Ok(())
}

fn write(file: &Mutex<std::fs::File>, vigil: &Vigil, seed: u64, study: &Study) -> Result<()> {
    let name = vigil.system.name;
    let tree = serde_json::json!({"system": name, "seed": seed, "log": study.log()});
    let mut file = file.lock().ok().context("another thread failed")?;
    Ok(writeln!(file, "{tree}")?)
}

fn row(vigil: &Vigil, alarms: &[Alarms]) -> String {
    let runs = alarms.len();
    let alarmed = alarms.iter().filter(|alarms| !alarms.false_ones.is_empty()).count();
    let count: usize = alarms.iter().map(|alarms| alarms.false_ones.len()).sum();
    let (name, tail, rounds) = (vigil.system.name, vigil.tail, vigil.rounds);
    let mut row = format!(
        "{name} ({tail:?}) T = {rounds}: {count} alarms for nothing, in {alarmed} of {runs} runs"
    );
    if vigil.system.phases() > 1 {
        let mut delays: Vec<usize> =
            alarms.iter().map(|alarms| alarms.delay.unwrap_or(usize::MAX)).collect();
        delays.sort_unstable();
        let soon = delays.iter().filter(|delay| **delay <= IN_TIME).count();
        let told =
            |delay: usize| if delay < usize::MAX { delay.to_string() } else { "never".into() };
        let all: Vec<String> = delays.iter().map(|delay| told(*delay)).collect();
        row += &format!(
            "; noticed within {IN_TIME}: {soon} of {runs}, median {}, [{}]",
            told(delays[runs / 2]),
            all.join(" ")
        );
    }
    row
}
