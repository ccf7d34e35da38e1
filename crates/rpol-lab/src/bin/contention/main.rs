//! Many processes on one database: how fast, and is anything lost?
//!
//! Every process asks and tells on the same study, each ask and each tell a commit of its own that is on the disk
//! before the next. The numbers handed out must be dense and unique, and every tell must be there at the end.

mod worker;

use anyhow::{Result, ensure};
use clap::Parser;
use rpol::store::{Shared, Sqlite};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use worker::Done;

/// Many processes on one database: how fast, and is anything lost?
#[derive(Parser)]
struct Args {
    /// Processes at a time.
    #[arg(long, default_value_t = 64)]
    processes: usize,
    /// Asks and tells of each.
    #[arg(long, default_value_t = 40)]
    pairs: usize,
    /// Least number of pairs a second, in all.
    #[arg(long, default_value_t = 200.0)]
    least: f64,
    /// Where the database is made; a folder for temporary files unless given.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Be one of the processes, on this database.
    #[arg(long, hide = true)]
    database: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(database) = &args.database {
        return worker::run(database, args.pairs);
    }
    let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = folder.join(format!("rpol-contention-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = measure(&args, &folder.join("shared.db"));
    std::fs::remove_dir_all(&folder)?;
    let rate = outcome?;
    ensure!(rate >= args.least, "{rate:.0} pairs a second are fewer than {}", args.least);
    Ok(())
}

/// Pairs a second.
fn measure(args: &Args, database: &Path) -> Result<f64> {
    let started = (0..args.processes).map(|_| start(database, args.pairs));
    let started = started.collect::<Result<Vec<Child>>>()?;
    let done = started.into_iter().map(finish).collect::<Result<Vec<Done>>>()?;
    check(database, done.iter().flat_map(|done| done.told.iter().copied()).collect())?;
    let begun = done.iter().map(|done| done.span[0]).fold(f64::INFINITY, f64::min);
    let ended = done.iter().map(|done| done.span[1]).fold(0.0, f64::max);
    let rate = (args.processes * args.pairs) as f64 / (ended - begun);
    let longest = done.iter().map(|done| done.longest).fold(0.0, f64::max);
    println!(
        "{} processes, {} asks and tells each: {rate:.0} pairs a second in all, the longest call {longest:.2} s, no error, nothing lost",
        args.processes, args.pairs
    );
    Ok(rate)
}

fn start(database: &Path, pairs: usize) -> Result<Child> {
    let mut worker = Command::new(std::env::current_exe()?);
    worker.arg("--database").arg(database).args(["--pairs", &pairs.to_string()]);
    Ok(worker.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
}

/// What it says at its end.
fn finish(worker: Child) -> Result<Done> {
    let output = worker.wait_with_output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Whether the study has exactly the trials that were told.
fn check(database: &Path, mut told: Vec<u64>) -> Result<()> {
    told.sort_unstable();
    let dense = told.iter().enumerate().all(|(i, number)| i as u64 == *number);
    ensure!(dense, "the numbers handed out are not 0, 1, ... each once");
    let store = Arc::new(Sqlite::open(database, false)?);
    let study = Shared::load(store, worker::STUDY)?;
    let trials = study.study().trials();
    ensure!(trials.len() == told.len(), "{} trials of {} are there", trials.len(), told.len());
    for trial in trials {
        let value = trial.metrics.get("y").map(|reported| reported.value.get());
        ensure!(value == Some(trial.number as f64), "the tell of trial {} is lost", trial.number);
    }
    Ok(())
}
